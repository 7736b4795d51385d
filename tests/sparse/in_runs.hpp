#pragma once
/// \file
/// Matrices whose columns come in runs or lie on diagonals.
#include <algorithm>
#include <vector>

#include "oracle/dense.hpp"
#include "oracle/generators.hpp"

namespace Tessera::test {

/// 27 points of a brick: runs of three, of two at its sides.
inline sparse::Csr<double, Host> brick(Index n) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index z = 0; z < n; ++z) {
    for (Index y = 0; y < n; ++y) {
      for (Index x = 0; x < n; ++x) {
        for (Index dz = std::max(0, z - 1); dz <= std::min(n - 1, z + 1); ++dz) {
          for (Index dy = std::max(0, y - 1); dy <= std::min(n - 1, y + 1); ++dy) {
            for (Index dx = std::max(0, x - 1); dx <= std::min(n - 1, x + 1); ++dx) {
              column.push_back(dx + n * (dy + n * dz));
              value.push_back(dx == x && dy == y && dz == z ? 26.5 : -1 - 0.001 * (column.back() % 7));
            }
          }
        }
        offsets.push_back(static_cast<Offset>(column.size()));
      }
    }
  }
  auto const rows = n * n * n;
  return oracle::make_csr(rows, rows, offsets, column, value);
}

/// A stencil whose rows lack some entries. In the last third some lack the last one, so that their chunks do
/// not lie on diagonals.
inline sparse::Csr<double, Host> stencil_with_gaps() {
  auto const A = oracle::laplace(70, 50, 60);
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index i = 0; i < A.rows; ++i) {
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      bool const last = k + 1 == A.offsets[i + 1];
      if (k % 11 == 3 && (!last || 3 * i > 2 * A.rows)) continue;
      column.push_back(A.column[k]);
      value.push_back(A.value[k] * (1 + 0.01 * static_cast<double>(k % 13)));
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return oracle::make_csr(A.rows, A.columns, offsets, column, value);
}

/// Each entry of A becomes a full block of width x width numbers.
inline sparse::Csr<double, Host> in_blocks(sparse::Csr<double, Host> const& A, Index width) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index i = 0; i < A.rows * width; ++i) {
    for (auto k = A.offsets[i / width]; k < A.offsets[i / width + 1]; ++k) {
      for (Index c = 0; c < width; ++c) {
        column.push_back(A.column[k] * width + c);
        value.push_back(A.value[k] * (1 + 0.1 * static_cast<double>((i + 2 * c) % 5)));
      }
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return oracle::make_csr(A.rows * width, A.columns * width, offsets, column, value);
}

/// Matrices with and without runs, with empty rows, rows that do not ascend, and rows that end at the last
/// column.
inline std::vector<sparse::Csr<double, Host>> matrices_in_runs() {
  std::vector<sparse::Csr<double, Host>> all;
  all.push_back(brick(11));
  all.push_back(in_blocks(oracle::random_matrix(300, 90, 5, 1), 3));
  all.push_back(in_blocks(oracle::random_matrix(70, 40, 9, 2), 6));
  all.push_back(in_blocks(oracle::random_matrix(70, 40, 9, 3), 2));
  all.push_back(oracle::random_matrix(1000, 50, 20, 4));
  all.push_back(
      oracle::make_csr(5, 6, {0, 0, 3, 4, 6, 8}, {5, 4, 3, 5, 0, 5, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8}));
  return all;
}

}  // namespace Tessera::test
