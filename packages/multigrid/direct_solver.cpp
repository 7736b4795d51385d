#include "multigrid/direct_solver.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.hpp"

namespace Tessera::multigrid {
namespace {

/// Largest magnitudes for b = 1, whose own is 1. NaN comes through.
struct Norms {
  double A = 0, x = 0, residual = 0;
};

/// a where it is larger, or is NaN.
double larger(double a, double b) {
  return a <= b ? b : a;
}

Norms norms_of(sparse::CsrView<double> const& A, std::vector<double> const& x) {
  Norms norms;
  for (Index i = 0; i < A.rows; ++i) {
    double product = 0, magnitude = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      product += A.value[k] * x[A.column[k]];
      magnitude += std::fabs(A.value[k]);
    }
    norms.A = larger(magnitude, norms.A);
    norms.x = larger(std::fabs(x[i]), norms.x);
    norms.residual = larger(std::fabs(1.0 - product), norms.residual);
  }
  return norms;
}

constexpr double largest_error = 1e-10, largest_condition = 1e14;

char const* const what_to_do =
    "; take `coarse: type` = dense, with a smaller `coarse: max size`, or smoother";

}  // namespace

std::unique_ptr<DirectSolver> factored_and_checked(DirectSolvers const& solvers,
                                                   sparse::CsrView<double> const& A) {
  TESSERA_VALIDATE(A.rows == A.columns, "the coarsest matrix has ", A.rows, " rows and ", A.columns,
                   " columns");
  auto solver = solvers.make(A);
  std::vector<double> const b(static_cast<std::size_t>(A.rows), 1.0);
  std::vector<double> x(b.size());
  solver->solve({b.data(), b.size()}, {x.data(), x.size()});
  auto const norms = norms_of(A, x);
  double const condition = norms.A * norms.x, error = norms.residual / (condition + 1);
  if (!(condition <= largest_condition)) {
    throw core::NumericalError(core::message(
        solvers.name, " finds the coarsest matrix, of ", A.rows,
        " rows, singular (for b = 1 its solution makes ||A|| ||x|| / ||b|| = ", condition, ")", what_to_do));
  }
  if (!(error <= largest_error)) {
    throw core::NumericalError(core::message(solvers.name, " does not solve the coarsest system, of ", A.rows,
                                             " rows: for b = 1 its backward error is ", error, ", and ",
                                             largest_error, " is allowed", what_to_do));
  }
  return solver;
}

}  // namespace Tessera::multigrid
