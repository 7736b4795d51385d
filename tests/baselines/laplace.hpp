#pragma once
/// \file
/// A small problem, and a conjugate gradient loop that judges preconditioners independently of the library's
/// solvers.
#include <Tpetra_Core.hpp>

#include "baselines/preconditioner.hpp"

namespace Tessera::test {

using baselines::Matrix;
using baselines::MultiVector;
using baselines::Operator;

/// `equations` uncoupled copies of the 5-point Laplacian on an n x n grid. The unknowns of a node are
/// consecutive, and nodes are spread evenly over the ranks.
inline Teuchos::RCP<Matrix> laplace(int n, int equations = 1) {
  using Map = Matrix::map_type;
  auto const comm = Tpetra::getDefaultComm();
  auto const nodes = Teuchos::rcp(new Map(static_cast<Tpetra::global_size_t>(n) * n, 0, comm));
  auto const first = nodes->getMinGlobalIndex() * equations;
  auto const size =
      static_cast<std::size_t>(nodes->getMaxGlobalIndex() - nodes->getMinGlobalIndex() + 1) * equations;
  auto const map =
      Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(), size, 0, comm));
  auto A = Teuchos::rcp(new Matrix(map, 5));
  for (std::size_t i = 0; i < size; ++i) {
    long long const row = first + static_cast<long long>(i), node = row / equations, k = row % equations;
    long long const x = node % n, y = node / n;
    auto const couple = [&](long long dx, long long dy, double value) {
      if (x + dx < 0 || x + dx >= n || y + dy < 0 || y + dy >= n) return;
      long long const column = (node + dx + n * dy) * equations + k;
      A->insertGlobalValues(row, 1, &value, &column);
    };
    couple(0, 0, 4.0);
    couple(-1, 0, -1.0);
    couple(1, 0, -1.0);
    couple(0, -1, -1.0);
    couple(0, 1, -1.0);
  }
  A->fillComplete();
  return A;
}

/// Iterations of preconditioned conjugate gradients for b = 1 to a relative residual of 1e-8, at most 500.
inline int cg_iterations(Matrix const& A, Operator const& M) {
  MultiVector x(A.getRowMap(), 1), r(A.getRowMap(), 1), z(A.getRowMap(), 1), p(A.getRowMap(), 1),
      q(A.getRowMap(), 1);
  auto const dot = [](MultiVector const& u, MultiVector const& v) {
    return u.getVector(0)->dot(*v.getVector(0));
  };
  r.putScalar(1.0);
  double const target = 1e-8 * std::sqrt(dot(r, r));
  double rho = 0;
  for (int k = 1; k <= 500; ++k) {
    M.apply(r, z);
    double const before = rho;
    rho = dot(r, z);
    p.update(1.0, z, k == 1 ? 0.0 : rho / before);
    A.apply(p, q);
    double const alpha = rho / dot(p, q);
    x.update(alpha, p, 1.0);
    r.update(-alpha, q, 1.0);
    if (std::sqrt(dot(r, r)) <= target) return k;
  }
  return 501;
}

}  // namespace Tessera::test
