#include <algorithm>
#include <array>
#include <cmath>

#include "core/hash.hpp"
#include "gallery/grid.hpp"
#include "gallery/makers.hpp"

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

}  // namespace Tessera::gallery
