#pragma once
/// \file
/// Singular matrices.
#include "ifpack2/problems.hpp"

namespace Tessera::test {

/// 5-point Laplacians with Neumann boundaries, each on side^2 rows, next to each other: the rows of each sum
/// to zero. lower: the entries below the diagonal.
inline RCP<CrsMatrix> neumann_laplacian(RCP<Map const> const& map, int side, double lower = -1) {
  auto const A = rcp(new CrsMatrix(map, 5));
  for (int local = 0; map->isNodeLocalElement(local); ++local) {
    long long const row = map->getGlobalElement(local), i = row % side, j = row / side % side;
    double diagonal = 0;
    auto const couple = [&](bool inside, long long column) {
      if (!inside) return;
      double const value = column < row ? lower : -1;
      A->insertGlobalValues(row, 1, &value, &column);
      ++diagonal;
    };
    couple(i > 0, row - 1);
    couple(i + 1 < side, row + 1);
    couple(j > 0, row - side);
    couple(j + 1 < side, row + side);
    A->insertGlobalValues(row, 1, &diagonal, &row);
  }
  A->fillComplete();
  return A;
}

}  // namespace Tessera::test
