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

  Index rows() const { return nx * ny * nz; }
  /// Points of a row but its own, inside the box.
  TESSERA_HD double diagonal() const {
    int const side = 2 * reach + 1, dimensions = nz == 1 ? 2 : 3;
    return axes_only ? 2 * reach * dimensions : (dimensions == 2 ? side * side : side * side * side) - 1;
  }
  /// entry(column, value) for row i.
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
          entry(i + dx + nx * (dy + ny * dz), dx == 0 && dy == 0 && dz == 0 ? diagonal() : -1.0);
        }
      }
    }
  }
};

/// Dirichlet linear elasticity, trilinear elements on n x n x n inner points, E = 1, nu = 1/4; three rows a
/// point. Blocks are products of the one-dimensional stencils of mass, stiffness and slope.
struct ElasticStencil {
  Index n;

  Index rows() const { return 3 * n * n * n; }
  /// The integral of d_p phi(0) d_q phi(step).
  TESSERA_HD static double slopes(int const* step, int p, int q) {
    double product = 1;
    for (int d = 0; d < 3; ++d) {
      int const s = step[d];
      double const mass = s == 0 ? 4 / 6.0 : 1 / 6.0, stiffness = s == 0 ? 2 : -1, slope = 0.5 * s;
      product *= p == q && d == p ? stiffness : d == p ? -slope : d == q ? slope : mass;
    }
    return product;
  }
  /// entry(column, value) for a row.
  template <class Entry>
  TESSERA_HD void row(Index row, Entry const& entry) const {
    double const lambda = 0.4, mu = 0.4;
    Index const i = row / 3, at[3] = {i % n, i / n % n, i / (n * n)};
    int const p = row % 3;
    for (int s = 0; s < 27; ++s) {
      int const step[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1};
      bool inside = true;
      for (int d = 0; d < 3; ++d) inside = inside && at[d] + step[d] >= 0 && at[d] + step[d] < n;
      if (!inside) continue;
      double const laplace = slopes(step, 0, 0) + slopes(step, 1, 1) + slopes(step, 2, 2);
      for (int q = 0; q < 3; ++q) {
        entry(3 * (i + step[0] + n * (step[1] + n * step[2])) + q,
              lambda * slopes(step, p, q) + mu * slopes(step, q, p) + (p == q ? mu * laplace : 0));
      }
    }
  }
};

template <class Stencil>
struct CountStencilRow {
  Stencil stencil;
  struct Count {
    Index* count;
    TESSERA_HD void operator()(Index, double) const { ++*count; }
  };
  Offset* offsets;
  TESSERA_HD void operator()(Index i) const {
    Index count = 0;
    stencil.row(i, Count{&count});
    offsets[i] = count;
  }
};

template <class Stencil>
struct FillStencilRow {
  Stencil stencil;
  Offset const* offsets;
  Index* column;
  double* value;
  struct Fill {
    Offset* k;
    Index* column;
    double* value;
    TESSERA_HD void operator()(Index j, double a) const {
      column[*k] = j;
      value[(*k)++] = a;
    }
  };
  TESSERA_HD void operator()(Index i) const {
    auto k = offsets[i];
    stencil.row(i, Fill{&k, column, value});
  }
};

template <class Space, class Stencil>
sparse::Csr<double, Space> stencil_matrix(Space const& space, Stencil const& stencil) {
  Index const rows = stencil.rows();
  Array<Offset, Space> offsets(space, static_cast<std::size_t>(rows) + 1);
  core::for_each(space, rows, CountStencilRow<Stencil>{stencil, offsets.data()});
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(space, offsets.span().part(0, rows), offsets.span()));
  sparse::Csr<double, Space> A{rows, rows, std::move(offsets), Array<Index, Space>(space, nonzeros),
                               Array<double, Space>(space, nonzeros)};
  core::for_each(space, rows,
                 FillStencilRow<Stencil>{stencil, A.offsets.data(), A.column.data(), A.value.data()});
  return A;
}

}  // namespace Tessera::benchmarks
