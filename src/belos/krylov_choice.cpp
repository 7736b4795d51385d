#include "belos/krylov_choice.hpp"

#include "core/error.hpp"

namespace Tessera::belos {

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
  validate(choice);
  settle(choice);
  choice.left_preconditioner = selection.left_preconditioner;
  return choice;
}

parameters::Said said(KrylovChoice const& choice) {
  parameters::Said all{{"Solver Type", choice.solver},
                       {"Left Preconditioner If Unspecified", choice.left_preconditioner ? "true" : "false"}};
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
