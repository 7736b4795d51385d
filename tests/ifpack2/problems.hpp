#pragma once
/// \file
/// Small matrices and vectors for tests of the Ifpack2-style classes.
#include <Teuchos_DefaultMpiComm.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <cmath>
#include <vector>

namespace Tessera::test {

using Map = Tpetra::Map<int, long long>;
using CrsMatrix = Tpetra::CrsMatrix<double, int, long long>;
using RowMatrix = Tpetra::RowMatrix<double, int, long long>;
using MultiVector = Tpetra::MultiVector<double, int, long long>;
using Teuchos::RCP;
using Teuchos::rcp;

inline RCP<Teuchos::Comm<int> const> world() {
  return rcp(new Teuchos::MpiComm<int>(MPI_COMM_WORLD));
}

/// 0 .. n-1 in equal shares.
inline RCP<Map const> uniform_map(long long n) {
  return rcp(new Map(n, 0, world()));
}

/// 0 .. n-1 dealt out like cards to all ranks but the last, which owns nothing (alone it owns all).
inline RCP<Map const> scattered_map(long long n) {
  auto const comm = world();
  int const holders = std::max(1, comm->getSize() - 1);
  std::vector<long long> mine;
  for (long long i = comm->getRank(); i < n && comm->getRank() < holders; i += holders) mine.push_back(i);
  return rcp(
      new Map(n, Teuchos::ArrayView<long long const>(mine.data(), static_cast<int>(mine.size())), 0, comm));
}

/// The 5-point Laplacian of a side x side grid, times scale; shift is added to the diagonal.
inline RCP<CrsMatrix> laplacian(RCP<Map const> const& map, int side, double scale = 1, double shift = 0) {
  auto A = rcp(new CrsMatrix(map, 5));
  for (int local = 0; map->isNodeLocalElement(local); ++local) {
    long long const row = map->getGlobalElement(local);
    long long const i = row % side, j = row / side;
    std::vector<long long> columns{row};
    std::vector<double> values{(4 + shift) * scale};
    auto const couple = [&](bool inside, long long column) {
      if (!inside) return;
      columns.push_back(column);
      values.push_back(-scale);
    };
    couple(i > 0, row - 1);
    couple(i + 1 < side, row + 1);
    couple(j > 0, row - side);
    couple(j + 1 < side, row + side);
    A->insertGlobalValues(row, static_cast<int>(columns.size()), values.data(), columns.data());
  }
  A->fillComplete();
  return A;
}

/// Neumann's conditions on all sides of a laplacian: rows add up to zero.
inline void make_singular(CrsMatrix& A, int side) {
  auto const map = A.getRowMap();
  A.resumeFill();
  for (int i = 0; map->isNodeLocalElement(i); ++i) {
    long long const row = map->getGlobalElement(i), x = row % side, y = row / side;
    double const value = (x > 0) + (x + 1 < side) + (y > 0) + (y + 1 < side);
    A.replaceGlobalValues(row, 1, &value, &row);
  }
  A.fillComplete();
}

/// The identity.
inline RCP<CrsMatrix> diagonal(RCP<Map const> const& map) {
  auto A = rcp(new CrsMatrix(map, 1));
  for (int i = 0; map->isNodeLocalElement(i); ++i) {
    long long const row = map->getGlobalElement(i);
    double const one = 1;
    A->insertGlobalValues(row, 1, &one, &row);
  }
  A->fillComplete();
  return A;
}

/// A vector that does not depend on how the map is distributed.
inline RCP<MultiVector> waves(RCP<Map const> const& map, int columns = 1) {
  auto X = rcp(new MultiVector(map, columns));
  for (int c = 0; c < columns; ++c) {
    for (int local = 0; map->isNodeLocalElement(local); ++local) {
      double const i = static_cast<double>(map->getGlobalElement(local));
      X->replaceLocalValue(local, c, std::sin(1 + i * (c + 1)) + 0.1);
    }
  }
  return X;
}

inline std::vector<double> values(MultiVector const& X) {
  std::vector<double> result;
  for (std::size_t c = 0; c < X.getNumVectors(); ++c) {
    auto const column = X.getData(c);
    result.insert(result.end(), column.begin(), column.end());
  }
  return result;
}

inline double dot(MultiVector const& X, MultiVector const& Y) {
  double result = 0;
  X.dot(Y, Teuchos::ArrayView<double>(&result, 1));
  return result;
}

/// ||b - A x|| / ||b||
inline double relative_residual(RowMatrix const& A, MultiVector const& x, MultiVector const& b) {
  MultiVector r(b, Teuchos::Copy);
  A.apply(x, r, Teuchos::NO_TRANS, -1.0, 1.0);
  return std::sqrt(dot(r, r) / dot(b, b));
}

}  // namespace Tessera::test
