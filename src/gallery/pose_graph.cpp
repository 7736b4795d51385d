#include <array>
#include <cmath>

#include "core/hash.hpp"
#include "gallery/grid.hpp"
#include "gallery/makers.hpp"

namespace Tessera::gallery {

namespace {

/// Rows of a Gauss-Newton matrix. A robot moves through the rows of a grid in alternating directions, and
/// measures its pose (x, y, heading) relative to the previous pose, and at some points relative to the pose
/// in the previous row. The matrix is the sum of J^T W J over all measurements e = (R_a^T (t_b - t_a), h_b -
/// h_a), with a fixed first pose.
struct PoseRow {
  Grid grid;
  double closures, heading;
  std::uint64_t seed;

  using Jacobian = std::array<std::array<double, 3>, 3>;

  double random(GlobalIndex node, int what) const { return core::uniform(8 * node + what, seed); }

  struct Pose {
    double x, y, h;
  };
  Pose pose(GlobalIndex node) const {
    auto const p = point(grid, node);
    double const back = p.j % 2 == 0 ? 0 : std::acos(-1.0);
    return {static_cast<double>(p.i) + 0.2 * random(node, 0),
            static_cast<double>(p.j) + 0.2 * random(node, 1), back + 0.2 * random(node, 2)};
  }

  /// Whether there is a measurement between a point and the next point in y.
  bool is_measured(GlobalIndex i, GlobalIndex j) const {
    bool const turns = i == (j % 2 == 0 ? grid.nx - 1 : 0);
    return turns || (1 + random(i + grid.nx * j, 3)) / 2 < closures;
  }

  /// J_a and J_b of the measurement of b from a.
  std::array<Jacobian, 2> jacobians(GlobalIndex a, GlobalIndex b) const {
    auto const from = pose(a), to = pose(b);
    double const c = std::cos(from.h), s = std::sin(from.h), dx = to.x - from.x, dy = to.y - from.y;
    return {{{{{-c, -s, c * dy - s * dx}, {s, -c, -c * dx - s * dy}, {0, 0, -1}}},
             {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}}}};
  }

  /// block += J^T W K
  void add(Jacobian const& J, Jacobian const& K, double* block) const {
    for (int e = 0; e < 3; ++e)
      for (int f = 0; f < 3; ++f)
        for (int k = 0; k < 3; ++k) block[3 * e + f] += (k == 2 ? heading : 1) * (J[k][e] * K[k][f]);
  }

  /// Adds the measurement of the later point from the earlier point to the row of `self`, one of both.
  void measure(GlobalIndex self, GlobalIndex other, double* own, double* coupling) const {
    auto const both = jacobians(std::min(self, other), std::max(self, other));
    auto const &J = both[self < other ? 0 : 1], &K = both[self < other ? 1 : 0];
    add(J, J, own);
    add(J, K, coupling);
  }

  void operator()(Point const& p, double* values) const {
    std::fill_n(values, 5 * 9, 0.0);
    auto const self = p.i + grid.nx * p.j;
    double* const own = values + 2 * 9;
    if (p.j > 0 && is_measured(p.i, p.j - 1)) measure(self, self - grid.nx, own, values);
    if (p.i > 0) measure(self, self - 1, own, values + 9);
    if (p.i + 1 < grid.nx) measure(self, self + 1, own, values + 3 * 9);
    if (p.j + 1 < grid.ny && is_measured(p.i, p.j)) measure(self, self + grid.nx, own, values + 4 * 9);
    if (self == 0)
      for (int e = 0; e < 3; ++e) own[4 * e] += e == 2 ? heading : 1;
  }
};

}  // namespace

Problem pose_graph_2d(Options const& options, CommPtr const& comm) {
  Grid const grid{static_cast<GlobalIndex>(options.at("nx")), static_cast<GlobalIndex>(options.at("ny")), 1};
  TESSERA_VALIDATE(options.at("closures") <= 1, "closures is ", options.at("closures"),
                   " (it is a share of points); give at most 1");
  PoseRow const row{grid, options.at("closures"), options.at("heading"),
                    static_cast<std::uint64_t>(options.at("seed"))};
  Problem problem;
  problem.equations = 3;
  problem.matrix = grid_matrix(grid, steps(2, 1), 3, row, comm);
  return problem;
}

}  // namespace Tessera::gallery
