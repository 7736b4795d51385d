#include <cmath>

#include "core/array.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "multigrid/dense_inverse_body.hpp"
#include "multigrid/direct_solver.hpp"

namespace Tessera::multigrid {

/// Maximum norms for b = 1, whose own norm is 1. NaN propagates.
struct SolutionNorms {
  double A = 0, x = 0, residual = 0;
};

struct LargerNorms {
  /// The larger one; NaN where one is.
  static TESSERA_HD double larger(double a, double b) { return a <= b || b != b ? b : a; }
  TESSERA_HD SolutionNorms operator()(SolutionNorms const& a, SolutionNorms const& b) const {
    return {larger(a.A, b.A), larger(a.x, b.x), larger(a.residual, b.residual)};
  }
};

struct NormsOfRow {
  sparse::CsrView<double> A;
  Span<double const> x;
  TESSERA_HD SolutionNorms operator()(Index i) const {
    double product = 0, magnitude = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      product += A.value[k] * x[A.column[k]];
      magnitude += std::fabs(A.value[k]);
    }
    return {magnitude, std::fabs(x[i]), std::fabs(1.0 - product)};
  }
};

constexpr double largest_backward_error = 1e-10, largest_condition = 1e14;

template <class Space>
void require_solution(std::string const& name, sparse::DirectSolver<Space>& solver, Space const& space,
                      sparse::CsrView<double> const& A) {
  static constexpr char const* what_to_do =
      "; take `coarse: type` = dense, with a smaller `coarse: max size`, or smoother";
  auto const rows = static_cast<std::size_t>(A.rows);
  Array<double, Space> b(space, rows), x(space, rows);
  core::fill(space, b.span(), 1.0);
  solver.solve(space, b.view(), x.span());
  auto const norms = core::reduce(space, rows, NormsOfRow{A, x.view()}, LargerNorms{}, SolutionNorms{});
  double const condition = norms.A * norms.x, error = norms.residual / (condition + 1);
  if (!(condition <= largest_condition)) {
    throw core::NumericalError(core::message(
        name, " finds the coarsest matrix, of ", A.rows,
        " rows, singular (for b = 1 its solution makes ||A|| ||x|| / ||b|| = ", condition, ")", what_to_do));
  }
  if (!(error <= largest_backward_error)) {
    throw core::NumericalError(core::message(name, " does not solve the coarsest system, of ", A.rows,
                                             " rows: for b = 1 its backward error is ", error, ", and ",
                                             largest_backward_error, " is allowed", what_to_do));
  }
}

template class DenseInverse<double, InstanceSpace>;
template class DenseInverse<float, InstanceSpace>;
TESSERA_DENSE_APPLY(InstanceSpace, double)
TESSERA_DENSE_APPLY(InstanceSpace, float)

template void require_solution(std::string const&, sparse::DirectSolver<InstanceSpace>&, InstanceSpace const&,
                               sparse::CsrView<double> const&);

}  // namespace Tessera::multigrid
