#pragma once
/// \file
/// Assembly of matrices on the points of a box, with a block of couplings for each neighbour.
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "tpetra/assemble.hpp"
#include "tpetra/types.hpp"

namespace Tessera::gallery {

/// nx x ny x nz points, numbered lexicographically, x fastest.
struct Grid {
  GlobalIndex nx, ny, nz;
  GlobalIndex points() const { return nx * ny * nz; }
};

struct Point {
  GlobalIndex i, j, k;
};

/// Offset to a neighbour.
struct Step {
  int i, j, k;
};

inline Point point(Grid const& grid, GlobalIndex number) {
  return {number % grid.nx, number / grid.nx % grid.ny, number / (grid.nx * grid.ny)};
}

inline bool inside(Grid const& grid, Point const& p, Step const& s) {
  auto const i = p.i + s.i, j = p.j + s.j, k = p.k + s.k;
  return 0 <= i && i < grid.nx && 0 <= j && j < grid.ny && 0 <= k && k < grid.nz;
}

/// Steps of at most one point in each direction, in the order of the neighbours' numbers; the step to the
/// point itself is in the middle. reach: largest number of directions of a step (1: star; dimensions: box).
inline std::vector<Step> steps(int dimensions, int reach) {
  std::vector<Step> result;
  int const depth = dimensions == 3 ? 1 : 0;
  for (int k = -depth; k <= depth; ++k) {
    for (int j = -1; j <= 1; ++j) {
      for (int i = -1; i <= 1; ++i) {
        if (i * i + j * j + k * k <= reach) result.push_back({i, j, k});
      }
    }
  }
  return result;
}

namespace detail {

int constexpr largest_row = 27 * 9;  ///< values of a node in three dimensions with three equations

/// Sets the number of entries of each row of a node.
struct CountNode {
  Grid grid;
  Span<Step const> steps;
  int equations;
  GlobalIndex first;
  Span<Offset> offsets;
  void operator()(Index node) const {
    auto const p = point(grid, first + node);
    Offset neighbours = 0;
    for (auto const& step : steps) neighbours += inside(grid, p, step) ? 1 : 0;
    for (int e = 0; e < equations; ++e) offsets[std::size_t(node) * equations + e] = neighbours * equations;
  }
};

/// Sets the columns and values of the rows of a node.
template <class Row>
struct FillNode {
  Grid grid;
  Span<Step const> steps;
  int equations;
  GlobalIndex first;
  Row row;
  Span<Offset const> offsets;
  Span<tpetra::GlobalOrdinal> column;
  Span<double> value;
  void operator()(Index node) const {
    auto const p = point(grid, first + node);
    double values[largest_row];
    row(p, values);
    auto const m = equations;
    for (int e = 0; e < m; ++e) {
      auto k = offsets[std::size_t(node) * m + e];
      for (std::size_t s = 0; s < steps.size(); ++s) {
        if (!inside(grid, p, steps[s])) continue;
        auto const neighbour =
            first + node + steps[s].i + grid.nx * (steps[s].j + grid.ny * GlobalIndex{steps[s].k});
        for (int f = 0; f < m; ++f, ++k) {
          column[k] = neighbour * m + f;
          value[k] = values[(s * m + e) * m + f];
        }
      }
    }
  }
};

}  // namespace detail

/// Assembles a matrix. row(point, values) writes the couplings of a point: values[(s * m + e) * m + f]
/// couples its equation e to unknown f of the neighbour at steps[s], m = equations. Couplings to points
/// outside of the grid are dropped, because these unknowns are zero (Dirichlet). Collective.
/// \throws core::InvalidInput on every rank if the grid has too many points
template <class Row>
Teuchos::RCP<tpetra::CrsMatrix> grid_matrix(Grid const& grid, std::vector<Step> const& steps, int equations,
                                            Row const& row,
                                            Teuchos::RCP<Teuchos::Comm<int> const> const& comm) {
  auto const total =
      static_cast<double>(grid.nx) * static_cast<double>(grid.ny) * static_cast<double>(grid.nz) * equations;
  TESSERA_VALIDATE(total < 4e18, "the grid of ", grid.nx, " x ", grid.ny, " x ", grid.nz,
                   " points has too many unknowns (global indices have 64 bits); give fewer points");
  auto const map = tpetra::block_map(grid.points(), equations, comm);
  auto const rows = tpetra::local_size(*map);
  auto const nodes = rows / static_cast<std::size_t>(equations);
  auto const first = rows == 0 ? 0 : map->getMinGlobalIndex() / equations;
  Span<Step const> const neighbours(steps.data(), steps.size());
  tpetra::GlobalRows local{Array<Offset, Host>(Host{}, rows + 1), {}, {}};
  core::for_each(Host{}, nodes, detail::CountNode{grid, neighbours, equations, first, local.offsets.span()});
  auto const entries = static_cast<std::size_t>(
      core::exclusive_scan(Host{}, local.offsets.span().part(0, rows), local.offsets.span()));
  local.column = Array<tpetra::GlobalOrdinal, Host>(Host{}, entries);
  local.value = Array<double, Host>(Host{}, entries);
  core::for_each(Host{}, nodes,
                 detail::FillNode<Row>{grid, neighbours, equations, first, row, local.offsets.view(),
                                       local.column.span(), local.value.span()});
  return tpetra::assemble(map, local);
}

}  // namespace Tessera::gallery
