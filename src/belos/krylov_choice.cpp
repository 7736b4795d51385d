#include "belos/krylov_choice.hpp"

#include <BelosTypes.hpp>
#include <cmath>
#include <iostream>

#include "belos/nullspace.hpp"
#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/valid_parameters.hpp"

namespace Tessera::belos {
namespace {

char const* const scaling = "Implicit Residual Scaling";

Teuchos::RCP<Teuchos::ParameterList const> make() {
  using Teuchos::rcp;
  auto const list = rcp(new Teuchos::ParameterList("Tessera conjugate gradients"));
  list->set("Convergence Tolerance", 1e-8,
            "Converged when the norm of the true residual is at most this times the reference.",
            rcp(new Teuchos::EnhancedNumberValidator<double>(0.0, 1.0)));
  list->set("Maximum Iterations", 1000, "For each right-hand side.",
            rcp(new Teuchos::EnhancedNumberValidator<int>(1, 2147483647)));
  using krylov::RelativeTo;
  list->set(scaling, "Norm of Initial Residual", "The reference that residuals are compared with.",
            rcp(new parameters::ChoiceValidator<RelativeTo>(
                Teuchos::tuple<std::string>("Norm of RHS", "Norm of Initial Residual", "None"),
                Teuchos::tuple(RelativeTo::rhs, RelativeTo::initial_residual, RelativeTo::one), scaling)));
  list->set(
      stopping_test, std::string(name(krylov::Test::relative)),
      "What convergence means: relative: the norm of the residual is at most the tolerance times the "
      "reference; absolute: at most `stopping: absolute tolerance`; either: one of these; row-wise: every "
      "row's residual is at most the tolerance times that row of |A| |x| + |b|, which penalties do not "
      "hide.");
  list->set(stopping_tolerance, 0.0, "Of the tests absolute and either.");
  list->set("Maximum Replacements", 5,
            "How often the residual of the recurrence is replaced by the true one after the two have parted.",
            rcp(new Teuchos::EnhancedNumberValidator<int>(0, 1000)));
  list->set(
      project_nullspace, false,
      "Take out of the right-hand side what lies in the nullspace of a singular matrix, as far as that is "
      "known: near-nullspace vectors of the preconditioner, else the constants, that A maps to zero.");
  list->set("Verbosity", static_cast<int>(Belos::Errors), "Sum of Belos::MsgType.");
  list->set("Output Style", static_cast<int>(Belos::General),
            "Belos::General or Belos::Brief, which print the same.");
  list->set("Output Frequency", -1, "Print the residual every so many iterations; -1: never.");
  list->set("Output Stream", Teuchos::rcpFromRef(std::cout), "Where rank 0 prints.");
  list->set("Timer Label", std::string("Belos"), "First word of the timer's name.");
  return list;
}

}  // namespace

Teuchos::RCP<Teuchos::ParameterList const> manager_parameters() {
  static Teuchos::RCP<Teuchos::ParameterList const> const list = make();
  return list;
}

char const* name(krylov::Test test) {
  switch (test) {
    case krylov::Test::relative:
      return "relative";
    case krylov::Test::absolute:
      return "absolute";
    case krylov::Test::either:
      return "either";
    case krylov::Test::row_wise:
      break;
  }
  return "row-wise";
}

Stopping stopping(Teuchos::ParameterList const& list) {
  using krylov::Test;
  using parameters::where;
  Stopping found;
  if (list.isParameter(stopping_test)) {
    TESSERA_VALIDATE(list.isType<std::string>(stopping_test), where(list, stopping_test),
                     " must be of type string");
    auto const given = list.get<std::string>(stopping_test);
    bool known = false;
    std::vector<std::string> names;
    for (auto const test : {Test::relative, Test::absolute, Test::either, Test::row_wise}) {
      names.emplace_back(name(test));
      if (given != name(test)) continue;
      found.test = test;
      known = true;
    }
    TESSERA_VALIDATE(known, where(list, stopping_test), " is \"", core::excerpt(given),
                     "\"; it must be relative, absolute, either or row-wise", parameters::hint(given, names));
  }
  if (list.isParameter(stopping_tolerance)) {
    TESSERA_VALIDATE(list.isType<double>(stopping_tolerance), where(list, stopping_tolerance),
                     " must be of type double");
    found.absolute_tolerance = list.get<double>(stopping_tolerance);
  }
  auto const value = found.absolute_tolerance;
  TESSERA_VALIDATE(value >= 0 && std::isfinite(value), where(list, stopping_tolerance), " is ", value,
                   "; it must be a number that is not negative");
  bool const counts = found.test == Test::absolute || found.test == Test::either;
  TESSERA_VALIDATE(!counts || value > 0, where(list, stopping_test), " is ", name(found.test),
                   ", which needs a positive \"", stopping_tolerance, "\"");
  TESSERA_VALIDATE(counts || value == 0, where(list, stopping_tolerance), " would have no effect, since \"",
                   stopping_test, "\" is ", name(found.test), "; set that to absolute or either");
  return found;
}

krylov::Parameters solver_parameters(Teuchos::ParameterList const& list, bool flexible) {
  krylov::Parameters parameters;
  parameters.flexible = flexible;
  parameters.tolerance = list.get<double>("Convergence Tolerance");
  parameters.max_iterations = list.get<int>("Maximum Iterations");
  parameters.relative_to = Teuchos::getIntegralValue<krylov::RelativeTo>(list, scaling);
  auto const [test, absolute_tolerance] = stopping(list);
  parameters.test = test;
  parameters.absolute_tolerance = absolute_tolerance;
  parameters.max_replacements = list.get<int>("Maximum Replacements");
  return parameters;
}

bool is_ours(std::string const& solver) {
  return parameters::upper_case(solver).rfind("TESSERA ", 0) == 0;
}

KrylovChoice with_our_solver(KrylovChoice choice, bool flexible) {
  auto const solver = parameters::upper_case(choice.solver);
  if (solver != "CG" && solver != "PSEUDOBLOCK CG" && solver != "PSEUDO BLOCK CG" &&
      solver != "PSEUDOBLOCKCG")
    return choice;
  for (auto const& one : choice.parameters)
    if (!manager_parameters()->isParameter(one.first)) return choice;
  choice.solver = flexible ? "TESSERA FLEXIBLE CG" : "TESSERA CG";
  return choice;
}

namespace {

/// Removes the stopping criterion from the solver's list, because Belos' managers reject its parameters.
void extract_stopping(KrylovChoice& choice) {
  auto& list = choice.parameters;
  auto const found = stopping(list);
  choice.test = found.test;
  choice.absolute_tolerance = found.absolute_tolerance;
  for (auto const* one : {stopping_test, stopping_tolerance})
    if (list.isParameter(one)) list.remove(one);
  TESSERA_VALIDATE(found.test != krylov::Test::row_wise || is_ours(with_our_solver(choice, false).solver),
                   parameters::where(list, stopping_test), " is ", name(found.test), ", which ",
                   choice.solver, " cannot be held to; take TESSERA CG or TESSERA FLEXIBLE CG");
}

}  // namespace

void read_limits(KrylovChoice& choice) {
  auto& list = choice.parameters;
  choice.tolerance = list.get("Convergence Tolerance", choice.tolerance);
  choice.max_iterations = list.get("Maximum Iterations", choice.max_iterations);
  TESSERA_VALIDATE(choice.tolerance > 0 && choice.tolerance < 1, list.name(),
                   " -> \"Convergence Tolerance\" is ", choice.tolerance, "; it must lie between 0 and 1");
  TESSERA_VALIDATE(choice.max_iterations > 0, list.name(), " -> \"Maximum Iterations\" is ",
                   choice.max_iterations, "; it must be positive");
}

KrylovChoice krylov_choice(parameters::Selection const& selection) {
  KrylovChoice choice;
  if (!selection.solver.empty()) choice.solver = selection.solver;
  choice.parameters = *selection.solver_parameters;
  extract_stopping(choice);
  validate(choice);
  read_limits(choice);
  choice.left_preconditioner = selection.left_preconditioner;
  return choice;
}

parameters::NamedSettings said(KrylovChoice const& choice) {
  parameters::NamedSettings all{
      {"Solver Type", choice.solver},
      {"Left Preconditioner If Unspecified", choice.left_preconditioner ? "true" : "false"},
      {stopping_test, name(choice.test)},
      {stopping_tolerance, core::message(choice.absolute_tolerance)}};
  for (auto const& one : choice.parameters) {
    if (one.first.rfind("Output ", 0) == 0 || one.first == "Verbosity") continue;
    auto const& value = one.second.getAny(false);
    bool const plain = value.type() == typeid(int) || value.type() == typeid(double) ||
                       value.type() == typeid(bool) || value.type() == typeid(std::string);
    if (plain) all.emplace_back(one.first, Teuchos::toString(value));
  }
  return all;
}

}  // namespace Tessera::belos
