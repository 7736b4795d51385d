#pragma once
/// \file
/// Presets whose preconditioner is Tessera's.
#include <filesystem>
#include <set>
#include <string>

#include "Tessera_ReadXml.hpp"
#include "ifpack2/problems.hpp"

namespace Tessera::test {

inline RCP<Teuchos::ParameterList> preset(std::string const& name) {
  return readXml(std::string(TESSERA_XML) + "/" + name + ".xml", *world());
}

/// Names of the presets.
inline std::set<std::string> preset_names() {
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(TESSERA_XML)) {
    auto const name = entry.path().stem().string();
    if (preset(name)->get<std::string>("Preconditioner Type") == "Tessera") names.insert(name);
  }
  return names;
}

/// Parameters of the preset's preconditioner, with several levels for a small matrix.
inline Teuchos::ParameterList preconditioner_parameters(std::string const& name) {
  auto own = preset(name)->sublist("Preconditioner Types").sublist("Tessera");
  if (own.get<std::string>("multigrid algorithm", "sa") != "fsai") own.set("coarse: max size", 40);
  return own;
}

}  // namespace Tessera::test
