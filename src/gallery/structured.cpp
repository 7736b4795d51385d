// Problems whose rows have a formula: stencils and measurements on grids, and the Holstein-Hubbard model.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "gallery/grid.hpp"
#include "gallery/holstein_hubbard.hpp"
#include "gallery/problem.hpp"
#include "tpetra/assemble.hpp"
#include "tpetra/types.hpp"

namespace Tessera::gallery {

namespace {

Grid grid_2d(Options const& options) {
  return {static_cast<GlobalIndex>(options.at("nx")), static_cast<GlobalIndex>(options.at("ny")), 1};
}

Grid grid_3d(Options const& options) {
  auto grid = grid_2d(options);
  grid.nz = static_cast<GlobalIndex>(options.at("nz"));
  return grid;
}

template <class Row>
Problem scalar_problem(Grid const& grid, std::vector<Step> const& steps, Row const& row,
                       CommPtr const& comm) {
  Problem problem;
  problem.matrix = grid_matrix(grid, steps, 1, row, comm);
  return problem;
}

/// The same couplings at every point.
struct Constant {
  std::array<double, 27> stencil;
  std::size_t size;
  void operator()(Point const&, double* values) const { std::copy_n(stencil.begin(), size, values); }
};

/// Laplacian with -1 for each neighbour; the diagonal is the number of neighbours of an interior point.
Problem laplacian(Grid const& grid, std::vector<Step> const& steps, CommPtr const& comm) {
  Constant row{{}, steps.size()};
  row.stencil.fill(-1);
  row.stencil[steps.size() / 2] = static_cast<double>(steps.size() - 1);
  return scalar_problem(grid, steps, row, comm);
}

/// Laplacian of the star's graph: -1 for each neighbour; the diagonal is the number of neighbours.
struct GraphRow {
  Grid grid;
  Span<Step const> star;
  void operator()(Point const& p, double* values) const {
    double degree = -1;  // without the point itself
    for (auto const& step : star) degree += inside(grid, p, step) ? 1 : 0;
    std::fill_n(values, star.size(), -1.0);
    values[star.size() / 2] = degree;
  }
};

Problem graph_laplacian(Grid const& grid, std::vector<Step> const& star, CommPtr const& comm) {
  TESSERA_VALIDATE(grid.nx > 1 || grid.ny > 1 || grid.nz > 1,
                   "the grid has one point (a graph Laplacian needs an edge); give a larger grid");
  auto problem = scalar_problem(grid, star, GraphRow{grid, {star.data(), star.size()}}, comm);
  problem.kernel = Kernel::constants;
  return problem;
}

/// Index of the diagonal in the star's seven steps -z, -y, -x, itself, x, y, z.
int constexpr itself = 3;

struct ApacheRow {
  Grid grid;
  void operator()(Point const& p, double* values) const {
    double constexpr strong = 30000, weak = 12;
    values[0] = values[1] = values[5] = values[6] = -weak;
    values[2] = values[4] = -strong;
    values[itself] = 4 * weak + strong * ((p.i > 0) + (p.i + 1 < grid.nx));
  }
};

/// Edges to the next points in x and y. Edges in y also lead from the first and the last point to points
/// outside, where the solution is zero.
struct NetworkRow {
  Grid grid;
  double decades;
  std::uint64_t seed;

  /// Conductance of the edge from (i, j) in direction 0 (to i + 1) or 1 (to j + 1); j from -1.
  double conductance(GlobalIndex i, GlobalIndex j, int direction) const {
    return std::pow(10.0, decades * core::uniform(2 * (i + grid.nx * (j + 1)) + direction, seed));
  }
  /// Values for the star's five steps -y, -x, itself, x, y.
  void operator()(Point const& p, double* values) const {
    double const edges[] = {conductance(p.i, p.j - 1, 1), p.i > 0 ? conductance(p.i - 1, p.j, 0) : 0,
                            p.i + 1 < grid.nx ? conductance(p.i, p.j, 0) : 0, conductance(p.i, p.j, 1)};
    values[0] = -edges[0];
    values[1] = -edges[1];
    values[2] = edges[0] + edges[1] + edges[2] + edges[3];
    values[3] = -edges[2];
    values[4] = -edges[3];
  }
};

struct DarcyRow {
  Grid grid;
  double sigma;
  std::uint64_t seed;

  /// exp(1 + sigma N(0, 1)) by the method of Box and Muller (1958) from two hashes of cell and direction.
  double permeability(GlobalIndex cell, int direction) const {
    auto const id = 3 * cell + direction;
    double const from_0_to_1 = 1 - (core::uniform(id, 2 * seed) + 1) / 2;  // without 0
    double const angle = std::acos(-1.0) * core::uniform(id, 2 * seed + 1);
    return std::exp(1 + sigma * std::sqrt(-2 * std::log(from_0_to_1)) * std::cos(angle));
  }
  static double harmonic_mean(double a, double b) { return 2 * a * b / (a + b); }

  void operator()(Point const& p, double* values) const {
    GlobalIndex const stride[3] = {1, grid.nx, grid.nx * grid.ny};
    GlobalIndex const position[3] = {p.i, p.j, p.k}, size[3] = {grid.nx, grid.ny, grid.nz};
    auto const cell = p.i + stride[1] * p.j + stride[2] * p.k;
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
      bool const before = position[d] > 0, after = position[d] + 1 < size[d];
      double const own = before || after ? permeability(cell, d) : 0;
      double const from = before ? harmonic_mean(permeability(cell - stride[d], d), own) : 0;
      double const to = after ? harmonic_mean(own, permeability(cell + stride[d], d)) : 0;
      values[itself - 1 - d] = -from;
      values[itself + 1 + d] = -to;
      sum += from + to;
    }
    // Without flow through the boundary, constants are in the kernel. A doubled first diagonal entry couples
    // the first cell to zero as strongly as to its neighbours, and keeps its other couplings.
    if (cell == 0) sum = sum > 0 ? 2 * sum : 1;
    values[itself] = sum;
  }
};

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

Problem laplace_2d(Options const& options, CommPtr const& comm) {
  return laplacian(grid_2d(options), steps(2, 1), comm);
}

Problem star_2d(Options const& options, CommPtr const& comm) {
  return laplacian(grid_2d(options), steps(2, 2), comm);
}

Problem laplace_3d(Options const& options, CommPtr const& comm) {
  return laplacian(grid_3d(options), steps(3, 1), comm);
}

Problem brick_3d(Options const& options, CommPtr const& comm) {
  return laplacian(grid_3d(options), steps(3, 3), comm);
}

Problem neumann_laplace_2d(Options const& options, CommPtr const& comm) {
  return graph_laplacian(grid_2d(options), steps(2, 1), comm);
}

Problem neumann_laplace_3d(Options const& options, CommPtr const& comm) {
  return graph_laplacian(grid_3d(options), steps(3, 1), comm);
}

Problem rotated_anisotropy_2d(Options const& options, CommPtr const& comm) {
  auto const grid = grid_2d(options);
  double const eps = options.at("eps"), c = std::cos(options.at("theta")), s = std::sin(options.at("theta"));
  double const hx = 1.0 / static_cast<double>(grid.nx + 1), hy = 1.0 / static_cast<double>(grid.ny + 1);
  double const xx = (eps + c * c) * hy / hx, yy = (eps + s * s) * hx / hy, xy = c * s;
  // The bilinear element's stiffness matrix, summed over the four elements around a point.
  double const corner = -(xx + yy) / 6, rising = corner - xy / 2, falling = corner + xy / 2;
  double const east = (yy - 2 * xx) / 3, north = (xx - 2 * yy) / 3, middle = 4 * (xx + yy) / 3;
  Constant const row{{rising, north, falling, east, middle, east, falling, north, rising}, 9};
  return scalar_problem(grid, steps(2, 2), row, comm);
}

Problem darcy_3d(Options const& options, CommPtr const& comm) {
  auto const grid = grid_3d(options);
  DarcyRow const row{grid, options.at("sigma"), static_cast<std::uint64_t>(options.at("seed"))};
  return scalar_problem(grid, steps(3, 1), row, comm);
}

Problem apache_like_3d(Options const& options, CommPtr const& comm) {
  auto const grid = grid_3d(options);
  return scalar_problem(grid, steps(3, 1), ApacheRow{grid}, comm);
}

Problem random_network_2d(Options const& options, CommPtr const& comm) {
  auto const grid = grid_2d(options);
  TESSERA_VALIDATE(options.at("decades") <= 100, "decades is ", options.at("decades"),
                   " (products of conductances above 10^100 overflow in double); give at most 100");
  NetworkRow const row{grid, options.at("decades"), static_cast<std::uint64_t>(options.at("seed"))};
  return scalar_problem(grid, steps(2, 1), row, comm);
}

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

Problem holstein_hubbard(Options const& options, CommPtr const& comm) {
  auto const whole = [&](char const* name) {
    return static_cast<int>(options.at(name));  // at most 2^31 - 1
  };
  HolsteinHubbard const H({whole("sites"), whole("electrons"), whole("phonons"), options.at("hopping"),
                           options.at("repulsion"), options.at("frequency"), options.at("coupling")});
  auto const map = tpetra::block_map(H.rows(), 1, comm);
  auto const rows = tpetra::local_size(*map);
  auto const first = rows == 0 ? 0 : map->getMinGlobalIndex();
  tpetra::GlobalRows local{Array<Offset, Host>(Host{}, rows + 1), {}, {}};
  core::for_each(Host{}, rows, [&](Index i) {
    local.offsets[i] = 0;
    H.row(first + i, [&](GlobalIndex, double) { ++local.offsets[i]; });
  });
  auto const entries = static_cast<std::size_t>(
      core::exclusive_scan(Host{}, local.offsets.span().part(0, rows), local.offsets.span()));
  local.column = Array<tpetra::GlobalOrdinal, Host>(Host{}, entries);
  local.value = Array<double, Host>(Host{}, entries);
  core::for_each(Host{}, rows, [&](Index i) {
    auto k = local.offsets[i];
    H.row(first + i, [&](GlobalIndex column, double value) {
      local.column[k] = column;
      local.value[k++] = value;
    });
  });
  Problem problem;
  problem.matrix = tpetra::assemble(map, local);
  return problem;
}

}  // namespace Tessera::gallery
