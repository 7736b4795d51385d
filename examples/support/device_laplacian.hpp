#pragma once
/// \file
/// The 7-point Laplacian on the unit cube, assembled where Tpetra's node computes: on the GPU if Trilinos is
/// built with CUDA.
#include <Kokkos_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <algorithm>

#include "support/problem.hpp"

namespace example {

/// The local matrix of the rows from `first` on. Local columns: own rows in order, then the points of other
/// ranks below, then those above.
struct LaplacianRows {
  long long n, first, rows, below;  ///< points along an edge; own rows; points of other ranks below

  KOKKOS_INLINE_FUNCTION long long column(long long point) const {
    if (point < first) return rows + point - (first - below);
    return point < first + rows ? point - first : below + point - first;
  }
  /// Calls put(column, value) for each entry of a row.
  template <class Put>
  KOKKOS_INLINE_FUNCTION void row(long long local, Put const& put) const {
    long long const p = first + local, plane = n * n, x = p % n, y = p / n % n, z = p / plane;
    if (z > 0) put(column(p - plane), -1.0);
    if (y > 0) put(column(p - n), -1.0);
    if (x > 0) put(column(p - 1), -1.0);
    put(local, 6.0);
    if (x + 1 < n) put(column(p + 1), -1.0);
    if (y + 1 < n) put(column(p + n), -1.0);
    if (z + 1 < n) put(column(p + plane), -1.0);
  }
};

/// n: grid points along an edge. Row x + n (y + n z) is the point (x, y, z); Dirichlet all around.
inline RCP<CrsMatrix> device_laplacian(long long n, RCP<Teuchos::Comm<int> const> const& comm) {
  using Local = CrsMatrix::local_matrix_device_type;
  auto const map = rcp(new Map(static_cast<Tpetra::global_size_t>(n * n * n), 0, comm));
  long long const rows =
      map->isContiguous() && map->getMaxLocalIndex() >= 0 ? map->getMaxLocalIndex() + 1LL : 0;
  long long const first = rows > 0 ? map->getMinGlobalIndex() : 0, plane = n * n;
  long long const below = rows > 0 ? std::min(plane, first) : 0;
  long long const above = rows > 0 ? std::min(plane, n * plane - first - rows) : 0;
  LaplacianRows const laplacian{n, first, rows, below};

  Local::row_map_type::non_const_type offsets("offsets", static_cast<std::size_t>(rows + 1));
  using Range = Kokkos::RangePolicy<Local::execution_space, long long>;
  Kokkos::parallel_scan(
      "count", Range(0, rows), KOKKOS_LAMBDA(long long i, std::size_t& sum, bool last) {
        laplacian.row(i, [&](long long, double) { ++sum; });
        if (last) offsets(i + 1) = sum;
      });
  auto const host_offsets =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(offsets, rows));
  auto const entries = host_offsets();
  Local::index_type columns("columns", entries);
  Local::values_type values("values", entries);
  Kokkos::parallel_for(
      "fill", Range(0, rows), KOKKOS_LAMBDA(long long i) {
        auto k = offsets(i);
        laplacian.row(i, [&](long long column, double value) {
          columns(k) = static_cast<int>(column);
          values(k++) = value;
        });
      });
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
