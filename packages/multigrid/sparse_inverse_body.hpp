#pragma once
/// \file
/// See sparse_inverse.hpp.
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/group.hpp"
#include "core/parallel.hpp"
#include "multigrid/sparse_inverse.hpp"
#include "sparse/columns.hpp"
#include "sparse/tridiagonal.hpp"

namespace Tessera::multigrid {

template <class T, class Space>
SparseInverse<T, Space>::SparseInverse(Space const& space, comm::DistCsr<double, Space> const& A,
                                       fsai::Parameters const& parameters, SparseInverseParameters const& how)
    : inverse_(space, A, parameters, how.storage),
      steps_(how.eigenvalue_steps),
      safety_(how.eigenvalue_safety),
      rho_(largest_eigenvalue(space, A)) {}

template <class T, class Space>
void SparseInverse<T, Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A) {
  inverse_.refresh(A);
  rho_ = largest_eigenvalue(space, A);
}

/// Lanczos on M^-1 A, which is symmetric in the inner product of M (Golub, Van Loan, Matrix Computations,
/// section 11.5.2: what conjugate gradients with M do unseen). v is kept beside q = M^-1 v.
template <class T, class Space>
double SparseInverse<T, Space>::largest_eigenvalue(Space const& space,
                                                   comm::DistCsr<double, Space> const& A) {
  auto const n = static_cast<std::size_t>(A.local.rows);
  auto const& comm = A.rows.comm();
  Array<double, Space> v(space, n), before(space, n), q(space, n), product(space, n);
  auto* start = v.data();
  sparse::randomise(space, n, A.rows.begin(), 0, {&start, 1});
  core::fill(space, before.span(), 0.0);
  auto const dot = [&](Array<double, Space> const& x, Array<double, Space> const& y) {
    auto const *of_x = x.data(), *of_y = y.data();
    return comm.sum(sparse::dots(space, n, {&of_x, 1}, {&of_y, 1}).front());
  };
  auto const combine = [&](double alpha, Array<double, Space> const& x, double beta,
                           Array<double, Space>& y) {
    auto const *of_x = x.data(), *of_y = static_cast<double const*>(y.data());
    auto* result = y.data();  // y = alpha x + beta y
    sparse::combine(space, n, {&alpha, 1}, {&of_x, 1}, {&beta, 1}, {&of_y, 1}, {&result, 1});
  };
  auto const norm = [&](Array<double, Space> const& r) {
    inverse_.apply(r.view(), q.span());
    return std::sqrt(dot(r, q));
  };
  std::vector<double> alphas, betas;
  double beta = norm(v);
  while (beta > 0 && std::isfinite(beta)) {
    combine(0, v, 1 / beta, v);
    combine(0, q, 1 / beta, q);
    comm::multiply(space, A, q.view(), product.span());
    double const alpha = dot(q, product);
    alphas.push_back(alpha);
    if (static_cast<int>(alphas.size()) == steps_) break;
    double const last = alphas.size() == 1 ? 0 : beta;
    combine(-alpha, v, 1, product);
    combine(1, product, -last, before);
    std::swap(v, before);
    beta = norm(v);
    if (beta <= 1e-6 * alpha) break;  // an invariant subspace, as far as a float M^-1 can tell
    betas.push_back(beta);
  }
  if (!std::isfinite(beta) || alphas.empty() || !std::isfinite(alphas.back())) {
    if (A.rows.global_size() == 0) return 1;
    throw core::NumericalError(core::message(
        "the largest eigenvalue of G A G^T cannot be estimated (step ", alphas.size(), " of Lanczos gave ",
        beta, "): the matrix is not positive definite; use another smoother than FSAI"));
  }
  sparse::Tridiagonal const T_n{alphas.data(), betas.data(), static_cast<int>(alphas.size())};
  return safety_ * sparse::largest_eigenvalue(core::SingleThread{}, T_n);
}

}  // namespace Tessera::multigrid
