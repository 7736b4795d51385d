#pragma once
/// \file
/// The dense systems on the host, eight numbers at a time: those of eight systems of one padded size side by
/// side, or eight rows of a larger system. The order of operations on each number is that of row_systems.hpp.
#include <cstddef>
#include <limits>

#include "core/types.hpp"

namespace Tessera::fsai {

/// Numbers that are taken at once.
inline constexpr int lanes = 8;
/// Systems up to this size are taken together: eight of them take 133 kB.
inline constexpr Index largest_together = 64;

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

/// Systems that have a pivot that is none.
struct BadPivots {
  bool bad[lanes] = {};

  /// Notes those among d, which are divided by next.
  void check(Lanes const& d) {
    for (int w = 0; w < lanes; ++w) bad[w] = bad[w] || !is_pivot(d[w]);
  }
};

/// Of each of eight systems L in the place of the lower triangle of A, row by row, D on its diagonal.
/// reciprocal: m numbers for 1 / D.
void factorise_together(Index m, Lanes* A, Lanes* reciprocal, BadPivots& pivots);

/// g: unit vectors, then the solutions of L^T g.
void substitute_together(Index m, Lanes const* L, Lanes* g);

/// One system of `panels` times eight rows: its lower triangle by panels of eight rows, column by column.
struct PanelTriangle {
  Lanes* data;
  static std::size_t count(Index panels) { return lanes * triangle(panels); }
  Lanes* panel(Index I) const { return data + count(I); }
  double& at(Index i, Index j) const { return reinterpret_cast<double*>(panel(i / lanes) + j)[i % lanes]; }
};

/// L in the place of A. D, reciprocal: as many numbers as rows, for D and 1 / D; L: as many lanes, for a
/// panel. Returns false where a pivot is none.
bool factorise_alone(Index panels, PanelTriangle A, double* D, double* reciprocal, Lanes* L);

/// The same as above for that one.
void substitute_alone(Index panels, PanelTriangle L, double* g);

}  // namespace Tessera::fsai
