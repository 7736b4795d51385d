#include "parameters/selection.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/parse.hpp"
#include "parameters/suggestion.hpp"

namespace Tessera::parameters {
namespace {

using Teuchos::ParameterList;
using Teuchos::RCP;

std::vector<std::string> const& stratimikos_names() {
  static std::vector<std::string> const names{"Linear Solver Type",
                                              "Preconditioner Type",
                                              "Linear Solver Types",
                                              "Preconditioner Types",
                                              "Enable Delayed Solver Construction",
                                              "VerboseObject"};
  return names;
}

bool is_stratimikos(ParameterList const& list) {
  for (auto it = list.begin(); it != list.end(); ++it) {
    for (auto const& name : stratimikos_names()) {
      if (name != "VerboseObject" && edit_distance(list.name(it), name) <= 3) return true;
    }
  }
  return false;
}

std::string string_at(ParameterList const& list, std::string const& name, std::string const& standard) {
  if (!list.isParameter(name)) return standard;
  TESSERA_VALIDATE(list.isType<std::string>(name), list.name(), " -> \"", name, "\" must be of type string");
  list.getEntry(name).getAny(true);
  return Teuchos::getValue<std::string>(list.getEntry(name));
}

void only(ParameterList const& list, std::vector<std::string> const& known) {
  for (auto it = list.begin(); it != list.end(); ++it) {
    std::string const& name = list.name(it);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string const hint = did_you_mean(name, known);
    throw core::InvalidInput(list.name() + " -> \"" + name + "\" is nothing that Stratimikos knows" +
                             (hint.empty() ? "" : "; " + hint));
  }
}

/// The sublist `name`, or an empty list of that path.
RCP<ParameterList> part(RCP<ParameterList> const& list, std::string const& name) {
  if (list->isSublist(name)) return Teuchos::sublist(list, name);
  TESSERA_VALIDATE(!list->isParameter(name), list->name(), " -> \"", name,
                   "\" is a parameter; it should be a sublist");
  return Teuchos::rcp(new ParameterList(list->name() + "->" + name));
}

/// The sublist of `type` among `types`; a sublist that is spelt nearly so is a mistake.
RCP<ParameterList> chosen(RCP<ParameterList> const& types, std::string const& type) {
  if (!types->isSublist(type) && !types->isParameter(type)) {
    for (auto it = types->begin(); it != types->end(); ++it) {
      TESSERA_VALIDATE(edit_distance(types->name(it), type) > 2, types->name(), " -> \"", types->name(it),
                       "\" is not the type that is selected; did you mean \"", type, "\"?");
    }
  }
  return part(types, type);
}

}  // namespace

Selection selection(RCP<ParameterList> const& list) {
  Selection result;
  if (!is_stratimikos(*list)) {
    result.preconditioner = "Tessera";
    result.preconditioner_parameters = list;
    result.solver_parameters = Teuchos::rcp(new ParameterList("Solver"));
    return result;
  }
  only(*list, stratimikos_names());
  result.preconditioner = string_at(*list, "Preconditioner Type", "None");
  result.preconditioner_parameters = chosen(part(list, "Preconditioner Types"), result.preconditioner);
  std::string const linear = string_at(*list, "Linear Solver Type", "Belos");
  TESSERA_VALIDATE(linear == "Belos", list->name(), " -> \"Linear Solver Type\" is \"", linear,
                   "\"; only Belos takes Tessera's operators");
  auto const belos = part(part(list, "Linear Solver Types"), "Belos");
  only(*belos, {"Solver Type", "Solver Types", "VerboseObject", "Left Preconditioner If Unspecified",
                "Convergence Test Frequency"});
  result.solver = string_at(*belos, "Solver Type", "");
  auto const types = part(belos, "Solver Types");
  result.solver_parameters =
      result.solver.empty() ? Teuchos::rcp(new ParameterList("Solver")) : chosen(types, result.solver);
  return result;
}

void validate(Selection const& selection) {
  if (selection.preconditioner == "Tessera") parse(*selection.preconditioner_parameters);
}

}  // namespace Tessera::parameters
