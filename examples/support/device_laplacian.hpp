#pragma once
/// \file
/// The 7-point Laplacian on the unit cube, assembled where Tpetra's node computes: on the GPU if Trilinos is
/// built with CUDA.
#include <Kokkos_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <algorithm>

#include "support/problem.hpp"

namespace example {

using Local = CrsMatrix::local_matrix_device_type;
using Offsets = Local::row_map_type::non_const_type;

/// The rows from `first` on. Local columns: own rows in order, then the points of other ranks below, then
/// those above.
struct LaplacianRows {
  long long n, first, rows, below;  ///< points along an edge; own rows; points of other ranks below

  KOKKOS_INLINE_FUNCTION int column(long long point) const {
    if (point < first) return static_cast<int>(rows + point - (first - below));
    return static_cast<int>(point < first + rows ? point - first : below + point - first);
  }
  /// Writes the columns of a row, seven at most, and returns their number. Columns ascend, except those of
  /// other ranks.
  KOKKOS_INLINE_FUNCTION int columns_of(long long local, int* columns) const {
    long long const p = first + local, plane = n * n, x = p % n, y = p / n % n, z = p / plane;
    int count = 0;
    if (z > 0) columns[count++] = column(p - plane);
    if (y > 0) columns[count++] = column(p - n);
    if (x > 0) columns[count++] = column(p - 1);
    columns[count++] = static_cast<int>(local);
    if (x + 1 < n) columns[count++] = column(p + 1);
    if (y + 1 < n) columns[count++] = column(p + n);
    if (z + 1 < n) columns[count++] = column(p + plane);
    return count;
  }
};

/// Row offsets, by a scan over the rows.
struct CountEntries {
  LaplacianRows laplacian;
  Offsets offsets;
  KOKKOS_INLINE_FUNCTION void operator()(long long i, std::size_t& sum, bool last) const {
    int columns[7];
    sum += static_cast<std::size_t>(laplacian.columns_of(i, columns));
    if (last) offsets(i + 1) = sum;
  }
};

struct FillEntries {
  LaplacianRows laplacian;
  Offsets offsets;
  Local::index_type column;
  Local::values_type value;
  KOKKOS_INLINE_FUNCTION void operator()(long long i) const {
    int columns[7];
    int const count = laplacian.columns_of(i, columns);
    for (int k = 0; k < count; ++k) {
      column(offsets(i) + k) = columns[k];
      value(offsets(i) + k) = columns[k] == static_cast<int>(i) ? 6.0 : -1.0;
    }
  }
};

/// n: grid points along an edge. Row x + n (y + n z) is the point (x, y, z); Dirichlet all around.
inline RCP<CrsMatrix> device_laplacian(long long n, RCP<Teuchos::Comm<int> const> const& comm) {
  auto const map = rcp(new Map(static_cast<Tpetra::global_size_t>(n * n * n), 0, comm));
  long long const rows =
      map->isContiguous() && map->getMaxLocalIndex() >= 0 ? map->getMaxLocalIndex() + 1LL : 0;
  long long const first = rows > 0 ? map->getMinGlobalIndex() : 0, plane = n * n;
  long long const below = rows > 0 ? std::min(plane, first) : 0;
  long long const above = rows > 0 ? std::min(plane, n * plane - first - rows) : 0;
  LaplacianRows const laplacian{n, first, rows, below};

  Offsets offsets("offsets", static_cast<std::size_t>(rows + 1));
  using Range = Kokkos::RangePolicy<Local::execution_space, long long>;
  Kokkos::parallel_scan("count", Range(0, rows), CountEntries{laplacian, offsets});
  auto const entries =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(offsets, rows))();
  Local::index_type const columns("columns", entries);
  Local::values_type const values("values", entries);
  Kokkos::parallel_for("fill", Range(0, rows), FillEntries{laplacian, offsets, columns, values});
  Kokkos::fence();

  Teuchos::Array<long long> indices;
  for (long long i = 0; i < rows; ++i) indices.push_back(first + i);
  for (long long i = 0; i < below; ++i) indices.push_back(first - below + i);
  for (long long i = 0; i < above; ++i) indices.push_back(first + rows + i);
  auto const all = Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid();
  auto const column_map = rcp(new Map(all, indices(), 0, comm));
  Local const local("laplacian", static_cast<int>(rows), static_cast<int>(indices.size()), entries, values,
                    offsets, columns);
  return rcp(new CrsMatrix(local, map, column_map, map, map));
}

}  // namespace example
