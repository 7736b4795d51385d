#pragma once
/// \file
/// A system to solve: the 5-point Laplacian on the unit square, on any map.
#include <Teuchos_Array.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <cmath>
#include <iostream>

namespace example {

using Map = Tpetra::Map<int, long long>;
using CrsMatrix = Tpetra::CrsMatrix<double, int, long long>;
using MultiVector = Tpetra::MultiVector<double, int, long long>;
using Operator = Tpetra::Operator<double, int, long long>;
using Teuchos::RCP;
using Teuchos::rcp;

constexpr long long side = 200;  ///< grid points along an edge

/// -Laplace on the grid, Dirichlet all around; row i + side j is the point (i, j).
inline RCP<CrsMatrix> laplacian(RCP<Map const> const& map) {
  auto const A = rcp(new CrsMatrix(map, 5));
  for (int local = 0; map->isNodeLocalElement(local); ++local) {
    long long const row = map->getGlobalElement(local), i = row % side, j = row / side;
    Teuchos::Array<long long> columns(1, row);
    Teuchos::Array<double> values(1, 4.0);
    auto const couple = [&](bool inside, long long column) {
      if (!inside) return;
      columns.push_back(column);
      values.push_back(-1.0);
    };
    couple(i > 0, row - 1);
    couple(i + 1 < side, row + 1);
    couple(j > 0, row - side);
    couple(j + 1 < side, row + side);
    A->insertGlobalValues(row, columns(), values());
  }
  A->fillComplete();
  return A;
}

/// ||b - A x|| / ||b||
inline double relative_residual(CrsMatrix const& A, MultiVector const& x, MultiVector const& b) {
  MultiVector r(b, Teuchos::Copy);
  A.apply(x, r, Teuchos::NO_TRANS, -1.0, 1.0);
  Teuchos::Array<double> r_norm(1), b_norm(1);
  r.norm2(r_norm());
  b.norm2(b_norm());
  return r_norm[0] / b_norm[0];
}

/// The exit status: 0 if x solves the system to the tolerance of the lists.
inline int verdict(CrsMatrix const& A, MultiVector const& x, MultiVector const& b) {
  double const residual = relative_residual(A, x, b);
  bool const solved = residual < 2e-8;
  if (A.getComm()->getRank() == 0) {
    std::cout << (solved ? "solved" : "NOT SOLVED") << ": ||b - A x|| / ||b|| = " << residual << std::endl;
  }
  return solved ? 0 : 1;
}

}  // namespace example
