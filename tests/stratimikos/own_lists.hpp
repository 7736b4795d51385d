#pragma once
/// \file
/// The ready lists of Tessera's own preconditioners.
#include <filesystem>
#include <set>
#include <string>

#include "Tessera_ReadXml.hpp"
#include "ifpack2/problems.hpp"

namespace Tessera::test {

inline RCP<Teuchos::ParameterList> ready_list(std::string const& name) {
  return readXml(std::string(TESSERA_XML) + "/" + name + ".xml", *world());
}

/// By name.
inline std::set<std::string> own_lists() {
  std::set<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(TESSERA_XML)) {
    auto const name = entry.path().stem().string();
    if (ready_list(name)->get<std::string>("Preconditioner Type") == "Tessera") names.insert(name);
  }
  return names;
}

/// Its preconditioner's parameters, with several levels in spite of few rows.
inline Teuchos::ParameterList preconditioner_parameters(std::string const& name) {
  auto own = ready_list(name)->sublist("Preconditioner Types").sublist("Tessera");
  if (own.get<std::string>("multigrid algorithm", "sa") != "fsai") own.set("coarse: max size", 40);
  return own;
}

}  // namespace Tessera::test
