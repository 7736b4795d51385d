#include "belos/krylov_choice.hpp"

#include "core/error.hpp"

namespace Tessera::belos {
namespace {

bool prefers_left(Teuchos::ParameterList const& list) {
  char const* name = "Left Preconditioner If Unspecified";
  if (!list.isSublist("Linear Solver Types") || !list.sublist("Linear Solver Types").isSublist("Belos"))
    return false;
  auto const& belos = list.sublist("Linear Solver Types").sublist("Belos");
  return belos.isType<bool>(name) && belos.get<bool>(name);
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

KrylovChoice krylov_choice(Teuchos::ParameterList const& list, parameters::Selection const& selection) {
  KrylovChoice choice;
  if (!selection.solver.empty()) choice.solver = selection.solver;
  choice.parameters = *selection.solver_parameters;
  validate(choice);
  settle(choice);
  choice.left_preconditioner = prefers_left(list);
  return choice;
}

}  // namespace Tessera::belos
