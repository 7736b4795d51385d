#include "gallery/linear_elements.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "tpetra/assemble.hpp"
#include "tpetra/matrix_market.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::gallery {

namespace {

/// The elements at each vertex of this rank, ascending.
struct VertexElements {
  std::vector<Offset> offsets;
  std::vector<Index> element;
};

/// number: of each vertex; -1: no unknowns. This rank has rows [begin, end).
VertexElements find_vertex_elements(Mesh const& mesh, std::vector<GlobalIndex> const& number,
                                    GlobalIndex begin, GlobalIndex end) {
  auto const corners = static_cast<std::size_t>(mesh.dimensions) + 1;
  VertexElements vertex_elements;
  vertex_elements.offsets.assign(static_cast<std::size_t>(end - begin) + 1, 0);
  auto const owned = [&](std::size_t k) {
    auto const n = number[mesh.elements[k]];
    return begin <= n && n < end ? n - begin : -1;
  };
  for (std::size_t k = 0; k < mesh.elements.size(); ++k) {
    if (auto const row = owned(k); row >= 0) ++vertex_elements.offsets[row + 1];
  }
  std::partial_sum(vertex_elements.offsets.begin(), vertex_elements.offsets.end(),
                   vertex_elements.offsets.begin());
  vertex_elements.element.resize(static_cast<std::size_t>(vertex_elements.offsets.back()));
  auto next = vertex_elements.offsets;
  for (std::size_t k = 0; k < mesh.elements.size(); ++k) {
    if (auto const row = owned(k); row >= 0)
      vertex_elements.element[next[row]++] = static_cast<Index>(k / corners);
  }
  return vertex_elements;
}

/// Gradients of the linear basis functions of an element, times d! times its measure (the determinant).
struct Gradients {
  double value[4][3];
  double determinant;
};

Gradients gradients(Mesh const& mesh, Index element) {
  int const d = mesh.dimensions;
  auto const* const v = &mesh.elements[static_cast<std::size_t>(element) * (d + 1)];
  double e[3][3] = {};  // edges from the first corner
  for (int i = 0; i < d; ++i) {
    for (int k = 0; k < d; ++k) e[i][k] = mesh.at[v[i + 1] * d + k] - mesh.at[v[0] * d + k];
  }
  Gradients g{};
  if (d == 2) {
    g.determinant = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    g.value[1][0] = e[1][1], g.value[1][1] = -e[1][0];
    g.value[2][0] = -e[0][1], g.value[2][1] = e[0][0];
  } else {
    for (int i = 0; i < 3; ++i) {
      auto const *a = e[(i + 1) % 3], *b = e[(i + 2) % 3];
      for (int k = 0; k < 3; ++k) {
        g.value[i + 1][k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
      }
    }
    for (int k = 0; k < 3; ++k) g.determinant += e[0][k] * g.value[1][k];
  }
  for (int k = 0; k < d; ++k) {
    for (int i = 1; i <= d; ++i) g.value[0][k] -= g.value[i][k];
  }
  return g;
}

/// Couplings of a vertex. Neighbours stand in the order of the elements, and blocks are summed over elements
/// in ascending order, which makes A bitwise symmetric.
struct VertexRow {
  LinearElements const& problem;
  std::vector<GlobalIndex> const& number;
  VertexElements const& vertex_elements;

  struct Block {
    GlobalIndex neighbour;
    double value[9];
  };
  using Blocks = std::vector<Block>;

  Blocks const& operator()(Index row, GlobalIndex self) const {
    static thread_local Blocks blocks;
    blocks.clear();
    auto const& mesh = problem.mesh;
    int const d = mesh.dimensions, size = problem.equations * problem.equations;
    double const factorial = d == 2 ? 2 : 6;
    for (auto k = vertex_elements.offsets[row]; k < vertex_elements.offsets[row + 1]; ++k) {
      auto const element = vertex_elements.element[k];
      auto const* const v = &mesh.elements[static_cast<std::size_t>(element) * (d + 1)];
      auto const g = gradients(mesh, element);
      double const determinant = std::abs(g.determinant),
                   scale = problem.by_measure ? determinant * determinant : factorial * determinant;
      int a = 0;
      while (number[v[a]] != self) ++a;
      for (int b = 0; b <= d; ++b) {
        if (number[v[b]] < 0) continue;
        double block[9];
        problem.coupling(g.value[a], g.value[b], block);
        auto& sum = found(blocks, number[v[b]]);
        for (int i = 0; i < size; ++i) sum.value[i] += block[i] / scale;
      }
    }
    if (problem.boundary == Boundary::removed) balance(blocks, self);
    return blocks;
  }
  static Block& found(Blocks& blocks, GlobalIndex neighbour) {
    for (auto& block : blocks) {
      if (block.neighbour == neighbour) return block;
    }
    blocks.push_back({neighbour, {}});
    return blocks.back();
  }
  /// Sets the diagonal so that the row sums to zero.
  static void balance(Blocks& blocks, GlobalIndex self) {
    auto& diagonal = found(blocks, self).value[0];
    diagonal = 0;
    double sum = 0;
    for (auto const& block : blocks) sum -= block.value[0];
    diagonal = sum;
  }
};

struct CountRows {
  VertexRow const& row;
  GlobalIndex begin;
  Span<Offset> offsets;
  void operator()(Index node) const {
    int const m = row.problem.equations;
    auto const entries = static_cast<Offset>(row(node, begin + node).size()) * m;
    for (int e = 0; e < m; ++e) offsets[std::size_t(node) * m + e] = entries;
  }
};

struct FillRows {
  VertexRow const& row;
  GlobalIndex begin;
  Span<Offset const> offsets;
  Span<tpetra::GlobalOrdinal> column;
  Span<double> value;
  void operator()(Index node) const {
    int const m = row.problem.equations;
    auto const& blocks = row(node, begin + node);
    for (int e = 0; e < m; ++e) {
      auto k = offsets[std::size_t(node) * m + e];
      for (auto const& block : blocks) {
        for (int f = 0; f < m; ++f, ++k) {
          column[k] = block.neighbour * m + f;
          value[k] = block.value[e * m + f];
        }
      }
    }
  }
};

}  // namespace

std::vector<Index> hilbert_order(Mesh const& mesh, std::vector<bool> const& boundary) {
  int const d = mesh.dimensions, bits = d == 2 ? 31 : 21;
  std::vector<double> low(d, HUGE_VAL), high(d, -HUGE_VAL);
  for (std::size_t k = 0; k < mesh.at.size(); ++k) {
    low[k % d] = std::min(low[k % d], mesh.at[k]);
    high[k % d] = std::max(high[k % d], mesh.at[k]);
  }
  std::vector<Index> vertices;
  std::vector<std::int64_t> keys;
  for (std::size_t v = 0; v < boundary.size(); ++v) {
    if (boundary[v]) continue;
    std::uint32_t cell[3];
    for (int k = 0; k < d; ++k) {
      double const from_0_to_1 = (mesh.at[v * d + k] - low[k]) / (high[k] - low[k]);
      cell[k] = static_cast<std::uint32_t>(from_0_to_1 * ((1u << bits) - 1));
    }
    vertices.push_back(static_cast<Index>(v));
    keys.push_back(hilbert_key(cell, d, bits));
  }
  auto key = core::to_space(Host{}, keys);
  auto sorted = core::to_space(Host{}, vertices);
  core::sort_by_key(Host{}, key, sorted);
  return {sorted.begin(), sorted.end()};
}

Problem assemble(LinearElements const& elements, CommPtr const& comm) {
  auto const& [mesh, vertices, equations, coupling, boundary, by_measure] = elements;
  std::vector<GlobalIndex> number(mesh.vertices(), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) number[vertices[i]] = static_cast<GlobalIndex>(i);

  auto const map = tpetra::block_map(static_cast<GlobalIndex>(vertices.size()), equations, comm);
  auto const rows = tpetra::local_size(*map), nodes = rows / static_cast<std::size_t>(equations);
  GlobalIndex const begin = rows == 0 ? 0 : map->getMinGlobalIndex() / equations;
  auto const vertex_elements =
      find_vertex_elements(mesh, number, begin, begin + static_cast<GlobalIndex>(nodes));
  VertexRow const row{elements, number, vertex_elements};
  tpetra::GlobalRows local{Array<Offset, Host>(Host{}, rows + 1), {}, {}};
  core::for_each(Host{}, nodes, CountRows{row, begin, local.offsets.span()});
  auto const entries = static_cast<std::size_t>(
      core::exclusive_scan(Host{}, local.offsets.span().part(0, rows), local.offsets.span()));
  local.column = Array<tpetra::GlobalOrdinal, Host>(Host{}, entries);
  local.value = Array<double, Host>(Host{}, entries);
  core::for_each(Host{}, nodes,
                 FillRows{row, begin, local.offsets.view(), local.column.span(), local.value.span()});

  Problem problem;
  problem.equations = equations;
  problem.kernel = boundary == Boundary::removed ? Kernel::constants : Kernel::none;
  problem.matrix = tpetra::assemble(map, local);
  auto const d = static_cast<std::size_t>(mesh.dimensions);
  problem.coordinates = Teuchos::rcp(new tpetra::MultiVector(tpetra::node_map(*map, equations), d, false));
  tpetra::WriteColumns const columns(*problem.coordinates, tpetra::Before::forgotten);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t k = 0; k < d; ++k) columns[k][i] = mesh.at[vertices[begin + i] * d + k];
  }
  return problem;
}

}  // namespace Tessera::gallery
