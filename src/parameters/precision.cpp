#include "parameters/precision.hpp"

#include <algorithm>

#include "parameters/suggestion.hpp"
#include "parameters/table.hpp"

namespace Tessera::parameters {
namespace {

char const* const precision = "precision: hierarchy";

/// Under any of its names. Defaults that Teuchos wrote are not the user's word.
bool says_precision(Teuchos::ParameterList const& list) {
  auto const said = [&list](std::string const& name) {
    return list.isParameter(name) && !list.getEntry(name).isDefault();
  };
  auto const& rows = table();
  auto const row =
      std::find_if(rows.begin(), rows.end(), [](Parameter const& one) { return one.name == precision; });
  return said(precision) || std::any_of(row->aliases.begin(), row->aliases.end(),
                                        [&](Alias const& alias) { return said(alias.name); });
}

bool ends_with(std::string const& text, std::string const& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

bool is_flexible(std::string const& solver, Teuchos::ParameterList const& own) {
  char const* const flexible = "Flexible Gmres";
  return upper_case(solver).find("FLEXIBLE") != std::string::npos ||
         (own.isType<bool>(flexible) && own.get<bool>(flexible));
}

bool supports_single(std::string const& solver, Teuchos::ParameterList const& own) {
  auto const name = upper_case(solver);
  return ends_with(name, "CG") || name == "PCPG" || name == "CGPOLY" || is_flexible(solver, own);
}

void choose_precision(Teuchos::ParameterList& preconditioner, std::string const& solver,
                      Teuchos::ParameterList const& own) {
  if (!says_precision(preconditioner) && !supports_single(solver, own))
    preconditioner.set<std::string>(precision, "double");
}

}  // namespace Tessera::parameters
