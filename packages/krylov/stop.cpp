#include "krylov/conjugate_gradients.hpp"

namespace Tessera::krylov {

char const* name(Stop stop) {
  switch (stop) {
    case Stop::converged:
      return "converged";
    case Stop::max_iterations:
      return "the largest number of iterations was reached";
    case Stop::indefinite_matrix:
      return "the matrix is not positive definite";
    case Stop::indefinite_preconditioner:
      return "the preconditioner is not positive definite";
    case Stop::not_finite:
      return "a number was not finite";
    case Stop::stagnated:
      return "the true residual stagnated";
  }
  return "unknown";
}

}  // namespace Tessera::krylov
