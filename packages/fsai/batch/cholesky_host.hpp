#pragma once
/// \file
/// Dense systems on the host with eight numbers in a vector: the same entry of eight systems of one padded
/// size, or eight rows of one larger system. Each number has the order of operations of row_systems.hpp.
#include <cstddef>
#include <limits>

#include "core/types.hpp"

namespace Tessera::fsai {

/// Numbers in a vector.
inline constexpr int lanes = 8;
/// Systems up to this size are solved in batches of eight, which take 133 kB.
inline constexpr Index largest_batched = 64;

struct alignas(lanes * sizeof(double)) Lanes {
  double value[lanes];
  double operator[](int w) const { return value[w]; }
};

inline std::size_t triangle(Index m) {
  return static_cast<std::size_t>(m) * (static_cast<std::size_t>(m) + 1) / 2;
}

inline bool is_pivot(double x) {
  return x > 0 && x <= std::numeric_limits<double>::max();
}

/// Systems with a pivot that is not positive and finite.
struct BadPivots {
  bool bad[lanes] = {};

  /// Marks the systems whose pivot in d is bad.
  void check(Lanes const& d) {
    for (int w = 0; w < lanes; ++w) bad[w] = bad[w] || !is_pivot(d[w]);
  }
};

/// Factorises eight systems of m rows. L replaces the lower triangle of A, row by row, and D its diagonal.
/// reciprocal: m vectors, set to 1 / D.
void factorise_batch(Index m, Lanes* A, Lanes* reciprocal, BadPivots& pivots);

/// Solves L^T g = g. g: on entry unit vectors, on return the solutions.
void substitute_batch(Index m, Lanes const* L, Lanes* g);

/// One system of 8 `panels` rows: its lower triangle by panels of eight rows, each panel column by column.
struct PanelTriangle {
  Lanes* data;
  static std::size_t count(Index panels) { return lanes * triangle(panels); }
  Lanes* panel(Index I) const { return data + count(I); }
  double& at(Index i, Index j) const { return reinterpret_cast<double*>(panel(i / lanes) + j)[i % lanes]; }
};

/// Factorises one system; L replaces A. D, reciprocal: one number a row, set to D and 1 / D. L: workspace of
/// one vector a row. Returns false if a pivot is not positive and finite.
bool factorise_single(Index panels, PanelTriangle A, double* D, double* reciprocal, Lanes* L);

/// Solves L^T g = g for this layout.
void substitute_single(Index panels, PanelTriangle L, double* g);

}  // namespace Tessera::fsai
