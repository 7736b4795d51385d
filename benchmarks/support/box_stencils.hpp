#pragma once
/// \file
/// Stencil matrices of any size, made where they are wanted.
#include "core/parallel.hpp"
#include "sparse/csr.hpp"

namespace Tessera::benchmarks {

/// Dirichlet stencils on nx x ny x nz points: all points at most `reach` away in each direction, or of these
/// only those on the axes (5- and 7-point). Columns ascend.
struct BoxStencil {
  Index nx, ny, nz;
  int reach = 1;
  bool axes_only = true;

  /// entry(column, whether it is the diagonal) for row i.
  template <class Entry>
  TESSERA_HD void row(Index i, Entry const& entry) const {
    Index const x = i % nx, y = i / nx % ny, z = i / (nx * ny);
    for (int dz = -reach; dz <= reach; ++dz) {
      if (z + dz < 0 || z + dz >= nz) continue;
      for (int dy = -reach; dy <= reach; ++dy) {
        if (y + dy < 0 || y + dy >= ny) continue;
        for (int dx = -reach; dx <= reach; ++dx) {
          if (x + dx < 0 || x + dx >= nx) continue;
          if (axes_only && (dx != 0) + (dy != 0) + (dz != 0) > 1) continue;
          entry(i + dx + nx * (dy + ny * dz), dx == 0 && dy == 0 && dz == 0);
        }
      }
    }
  }
};

struct CountStencilRow {
  BoxStencil stencil;
  struct Count {
    Index* count;
    TESSERA_HD void operator()(Index, bool) const { ++*count; }
  };
  Offset* offsets;
  TESSERA_HD void operator()(Index i) const {
    Index count = 0;
    stencil.row(i, Count{&count});
    offsets[i] = count;
  }
};

struct FillStencilRow {
  BoxStencil stencil;
  double diagonal;
  Offset const* offsets;
  Index* column;
  double* value;
  struct Fill {
    double diagonal;
    Offset* k;
    Index* column;
    double* value;
    TESSERA_HD void operator()(Index j, bool is_diagonal) const {
      column[*k] = j;
      value[(*k)++] = is_diagonal ? diagonal : -1.0;
    }
  };
  TESSERA_HD void operator()(Index i) const {
    auto k = offsets[i];
    stencil.row(i, Fill{diagonal, &k, column, value});
  }
};

template <class Space>
sparse::Csr<double, Space> stencil_matrix(Space const& space, BoxStencil const& stencil) {
  Index const rows = stencil.nx * stencil.ny * stencil.nz;
  int const side = 2 * stencil.reach + 1, dimensions = stencil.nz == 1 ? 2 : 3;
  int const points = stencil.axes_only ? 2 * stencil.reach * dimensions
                                       : (dimensions == 2 ? side * side : side * side * side) - 1;
  Array<Offset, Space> offsets(space, static_cast<std::size_t>(rows) + 1);
  core::for_each(space, rows, CountStencilRow{stencil, offsets.data()});
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(space, offsets.span().part(0, rows), offsets.span()));
  sparse::Csr<double, Space> A{rows, rows, std::move(offsets), Array<Index, Space>(space, nonzeros),
                               Array<double, Space>(space, nonzeros)};
  core::for_each(space, rows,
                 FillStencilRow{stencil, static_cast<double>(points), A.offsets.data(), A.column.data(),
                                A.value.data()});
  return A;
}

}  // namespace Tessera::benchmarks
