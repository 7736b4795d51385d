#include "parameters/selection.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/parse.hpp"
#include "settings/table.hpp"

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

/// Refuses an entry of another type, because no other check would find it.
template <class T>
void require_type(ParameterList const& list, std::string const& name, char const* type) {
  TESSERA_VALIDATE(!list.isParameter(name) || list.isType<T>(name), where(list, name), " must be of type ",
                   type);
}

std::string string_at(ParameterList const& list, std::string const& name, std::string const& standard) {
  if (!list.isParameter(name)) return standard;
  require_type<std::string>(list, name, "string");
  list.getEntry(name).getAny(true);
  return Teuchos::getValue<std::string>(list.getEntry(name));
}

/// Refuses names other than these.
void refuse_other_names(ParameterList const& list, std::vector<std::string> const& known) {
  for (auto it = list.begin(); it != list.end(); ++it) {
    std::string const& name = list.name(it);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw core::InvalidInput(where(list, name) + " is unknown to Stratimikos" + hint(name, known));
  }
}

void check_verbose_object(ParameterList const& list) {
  if (!list.isParameter("VerboseObject")) return;
  TESSERA_VALIDATE(list.isSublist("VerboseObject"), where(list, "VerboseObject"),
                   " is a parameter; it should be a sublist");
  refuse_other_names(list.sublist("VerboseObject"), {"Verbosity Level", "Output File"});
}

/// The sublist `name`, or an empty list of that path.
RCP<ParameterList> sublist_or_empty(RCP<ParameterList> const& list, std::string const& name) {
  if (list->isSublist(name)) return Teuchos::sublist(list, name);
  TESSERA_VALIDATE(!list->isParameter(name), where(*list, name), " is a parameter; it should be a sublist");
  return Teuchos::rcp(new ParameterList(list->name() + "->" + name));
}

/// A list that holds one sublist for each type, and nothing else.
RCP<ParameterList> types_of(RCP<ParameterList> const& list, std::string const& name) {
  auto const types = sublist_or_empty(list, name);
  for (auto it = types->begin(); it != types->end(); ++it) {
    TESSERA_VALIDATE(types->isSublist(types->name(it)), where(*types, types->name(it)),
                     " would have no effect: this list holds only sublists, one for each type; move it into "
                     "the sublist of its type");
  }
  return types;
}

/// The sublist of `type`, which the parameter `selector` selects among `types`. Sublists of other types may
/// accompany it, because a list may serve several choices; alone they are a mistake.
RCP<ParameterList> chosen_sublist(RCP<ParameterList> const& types, std::string const& selector,
                                  std::string const& type) {
  if (!types->isSublist(type) && type != "None" && types->begin() != types->end()) {
    std::vector<std::string> names;
    for (auto it = types->begin(); it != types->end(); ++it) names.push_back(types->name(it));
    std::string const hint = did_you_mean(type, names), quoted = "\"" + core::excerpt(type) + "\"";
    throw core::InvalidInput(
        where(*types, names.front()) + " would have no effect, since \"" + selector + "\" is " +
        (type.empty() ? "not given; give the type"
         : hint.empty()
             ? quoted + "; select the other, or give " + quoted + " a sublist of its own (it may be empty)"
             : quoted + "; " + hint));
  }
  return type.empty() ? Teuchos::rcp(new ParameterList(types->name())) : sublist_or_empty(types, type);
}

/// The sublist of "Linear Solver Types" that `list` has chosen_sublist.
RCP<ParameterList> linear_solver(RCP<ParameterList> const& list, std::string const& preconditioner) {
  char const* const selector = "Linear Solver Type";
  std::string const linear = string_at(*list, selector, "Belos");
  if (linear != "Belos" && linear != "Tessera") {
    throw core::InvalidInput(where(*list, selector) + " is \"" + core::excerpt(linear) +
                             "\"; only Belos and Tessera take Tessera's operators" +
                             hint(linear, {"Belos", "Tessera"}));
  }
  auto const types = types_of(list, "Linear Solver Types");
  auto const own = chosen_sublist(types, selector, linear);
  if (linear == "Belos") return own;
  TESSERA_VALIDATE(preconditioner == "Tessera" || preconditioner == "None",
                   where(*list, "Preconditioner Type"), " is \"", core::excerpt(preconditioner),
                   "\", which the linear solver Tessera does not take; take Tessera or None, or the linear "
                   "solver Belos");
  // Stratimikos makes a missing sublist, so that chosen_sublist() finds no mistake.
  TESSERA_VALIDATE(own->numParams() > 0 || sublist_or_empty(types, "Belos")->numParams() == 0,
                   where(*types, "Belos"), " would have no effect, since \"", selector,
                   "\" is \"Tessera\", which has nothing in its "
                   "sublist; rename this one to Tessera");
  return own;
}

char const* const precision = "precision: hierarchy";

/// Under any of its names. Defaults that Teuchos wrote do not count.
bool gives_precision(Teuchos::ParameterList const& list) {
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

Selection selection(RCP<ParameterList> const& list) {
  Selection result;
  if (!is_stratimikos(*list)) {
    result.preconditioner = "Tessera";
    result.preconditioner_parameters = list;
    result.solver_parameters = Teuchos::rcp(new ParameterList("Solver"));
    return result;
  }
  refuse_other_names(*list, stratimikos_names());
  require_type<bool>(*list, "Enable Delayed Solver Construction", "bool");
  check_verbose_object(*list);
  std::string const type = string_at(*list, "Preconditioner Type", "");
  result.preconditioner = type.empty() ? "None" : type;
  result.preconditioner_parameters =
      chosen_sublist(types_of(list, "Preconditioner Types"), "Preconditioner Type", type);

  auto const solver = solver_selection(linear_solver(list, result.preconditioner));
  result.solver = solver.solver;
  result.solver_parameters = solver.solver_parameters;
  result.left_preconditioner = solver.left_preconditioner;
  return result;
}

Selection solver_selection(RCP<ParameterList> const& list) {
  char const* const left = "Left Preconditioner If Unspecified";
  refuse_other_names(*list,
                     {"Solver Type", "Solver Types", "VerboseObject", left, "Convergence Test Frequency"});
  require_type<bool>(*list, left, "bool");
  require_type<int>(*list, "Convergence Test Frequency", "int");
  check_verbose_object(*list);
  Selection result;
  result.preconditioner = "None";
  result.preconditioner_parameters = Teuchos::rcp(new ParameterList("None"));
  result.solver = string_at(*list, "Solver Type", "");
  result.solver_parameters = chosen_sublist(types_of(list, "Solver Types"), "Solver Type", result.solver);
  result.left_preconditioner = list->isParameter(left) && list->get<bool>(left);
  return result;
}

void validate(Selection const& selection) {
  if (selection.preconditioner == "Tessera") parse(*selection.preconditioner_parameters);
}

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
  if (!gives_precision(preconditioner) && !supports_single(solver, own))
    preconditioner.set<std::string>(precision, "double");
}

}  // namespace Tessera::parameters
