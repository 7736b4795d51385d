#pragma once
/// \file
/// Large stencil matrices, made by all threads, and a prolongator over them.
#include <cmath>

#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "sparse/csr.hpp"
#include "support/box_stencils.hpp"

namespace Tessera::benchmarks {

/// The matrix whose entries visit(i, entry) names row by row, as entry(column, value).
template <class Visit>
sparse::Csr<double, Host> assembled(Index rows, Visit const& visit) {
  Host const host{};
  Array<Offset, Host> offsets(host, static_cast<std::size_t>(rows) + 1);
  core::for_each(host, rows, [&](Index i) {
    offsets[i] = 0;
    visit(i, [&](Index, double) { ++offsets[i]; });
  });
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(host, offsets.span().part(0, rows), offsets.span()));
  sparse::Csr<double, Host> A{rows, rows, std::move(offsets), Array<Index, Host>(host, nonzeros),
                              Array<double, Host>(host, nonzeros)};
  core::for_each(host, rows, [&](Index i) {
    auto k = A.offsets[i];
    visit(i, [&](Index j, double a) {
      A.column[k] = j;
      A.value[k++] = a;
    });
  });
  return A;
}

/// Dirichlet Laplacian on nx x ny x nz points: 5-point when nz = 1, else 7-point.
inline sparse::Csr<double, Host> laplace(Index nx, Index ny, Index nz) {
  Index const n[3] = {nx, ny, nz}, stride[3] = {1, nx, nx * ny}, rows = nx * ny * nz;
  int const dimensions = nz == 1 ? 2 : 3;
  auto const visit = [=](Index i, auto const& entry) {
    for (int d = dimensions - 1; d >= 0; --d) {
      if (i / stride[d] % n[d] > 0) entry(i - stride[d], -1.0);
    }
    entry(i, 2.0 * dimensions);
    for (int d = 0; d < dimensions; ++d) {
      if (i / stride[d] % n[d] + 1 < n[d]) entry(i + stride[d], -1.0);
    }
  };
  return assembled(rows, visit);
}

/// Dirichlet 27-point stencil on n x n x n points, 26 on the diagonal and -1 elsewhere.
inline sparse::Csr<double, Host> brick(Index n) {
  Index const rows = n * n * n;
  auto const visit = [=](Index i, auto const& entry) {
    Index const x = i % n, y = i / n % n, z = i / (n * n);
    for (Index k = z > 0 ? -1 : 0; k <= (z + 1 < n ? 1 : 0); ++k) {
      for (Index j = y > 0 ? -1 : 0; j <= (y + 1 < n ? 1 : 0); ++j) {
        for (Index s = x > 0 ? -1 : 0; s <= (x + 1 < n ? 1 : 0); ++s)
          entry(i + s + n * (j + n * k), s == 0 && j == 0 && k == 0 ? 26.0 : -1.0);
      }
    }
  };
  return assembled(rows, visit);
}

/// The gallery's RotatedAnisotropy2D on n x n points: weak diffusion 0.001, at pi / 8.
inline sparse::Csr<double, Host> rotated_anisotropy(Index n) {
  double const eps = 1e-3, angle = std::acos(-1.0) / 8, c = std::cos(angle), s = std::sin(angle);
  double const xx = eps + c * c, yy = eps + s * s, xy = c * s, corner = -(xx + yy) / 6;
  double const east = (yy - 2 * xx) / 3, north = (xx - 2 * yy) / 3, middle = 4 * (xx + yy) / 3;
  double const rising = corner - xy / 2, falling = corner + xy / 2;
  double const row[9] = {rising, north, falling, east, middle, east, falling, north, rising};
  return assembled(n * n, [=](Index i, auto const& entry) {
    Index const x = i % n, y = i / n;
    for (Index j = y > 0 ? -1 : 0; j <= (y + 1 < n ? 1 : 0); ++j) {
      for (Index s = x > 0 ? -1 : 0; s <= (x + 1 < n ? 1 : 0); ++s)
        entry(i + s + n * j, row[3 * (j + 1) + s + 1]);
    }
  });
}

/// ElasticStencil on the host.
inline sparse::Csr<double, Host> elasticity(Index n) {
  return stencil_matrix(Host{}, ElasticStencil{n});
}

/// A smoothed prolongator of bricks of 3 x 3 x 3 (3 x 3) points: row i has its brick and those of its
/// neighbours, about 2 to 2.3 entries.
inline sparse::Csr<double, Host> brick_prolongator(Index nx, Index ny, Index nz) {
  auto const A = laplace(nx, ny, nz);
  Index const bx = (nx + 2) / 3, by = (ny + 2) / 3, bz = (nz + 2) / 3;
  auto const brick = [=](Index i) { return i % nx / 3 + bx * (i / nx % ny / 3 + by * (i / (nx * ny) / 3)); };
  Host const host{};
  auto const visit = [&](Index i, auto const& entry) {
    Index seen[8];
    int count = 0;
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      auto const b = brick(A.column[k]);
      int s = 0;
      while (s < count && seen[s] != b) ++s;
      if (s == count) {
        seen[count++] = b;
        entry(b, b == brick(i) ? 0.8 : 0.1);
      }
    }
  };
  Array<Offset, Host> offsets(host, static_cast<std::size_t>(A.rows) + 1);
  core::for_each(host, A.rows, [&](Index i) {
    offsets[i] = 0;
    visit(i, [&](Index, double) { ++offsets[i]; });
  });
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(host, offsets.span().part(0, A.rows), offsets.span()));
  sparse::Csr<double, Host> P{A.rows, bx * by * bz, std::move(offsets), Array<Index, Host>(host, nonzeros),
                              Array<double, Host>(host, nonzeros)};
  core::for_each(host, A.rows, [&](Index i) {
    auto k = P.offsets[i];
    visit(i, [&](Index j, double p) {
      P.column[k] = j;
      P.value[k++] = p;
    });
  });
  return P;
}

}  // namespace Tessera::benchmarks
