#include "belos/krylov_choice.hpp"

#include "belos/manager_parameters.hpp"
#include "core/error.hpp"
#include "parameters/quoting.hpp"

namespace Tessera::belos {

namespace {

/// Takes them out of the solver's list: Belos' managers know no such parameters.
void take_stopping(KrylovChoice& choice) {
  auto& list = choice.parameters;
  auto const found = stopping(list);
  choice.test = found.test;
  choice.absolute_tolerance = found.absolute_tolerance;
  for (auto const* one : {stopping_test, stopping_tolerance})
    if (list.isParameter(one)) list.remove(one);
  TESSERA_VALIDATE(found.test != krylov::Test::row_wise || is_one_of_ours(choice),
                   parameters::where(list, stopping_test), " is ", name(found.test), ", which ",
                   choice.solver, " cannot be held to; take TESSERA CG or TESSERA FLEXIBLE CG");
}

}  // namespace

void settle(KrylovChoice& choice) {
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
  take_stopping(choice);
  validate(choice);
  settle(choice);
  choice.left_preconditioner = selection.left_preconditioner;
  return choice;
}

parameters::Said said(KrylovChoice const& choice) {
  parameters::Said all{{"Solver Type", choice.solver},
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
