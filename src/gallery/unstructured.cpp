#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "gallery/hilbert.hpp"
#include "gallery/makers.hpp"
#include "gallery/mesh.hpp"
#include "tpetra/assemble.hpp"
#include "tpetra/compatibility.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::gallery {

namespace {

/// The vertices that are not on the boundary, in the order of Hilbert's curve, so that blocks of them are
/// compact.
std::vector<Index> numbered_vertices(Mesh const& mesh) {
  int const d = mesh.dimensions, bits = d == 2 ? 31 : 21;
  auto const boundary = on_boundary(mesh);
  std::vector<double> low(d, HUGE_VAL), high(d, -HUGE_VAL);
  for (std::size_t k = 0; k < mesh.at.size(); ++k) {
    low[k % d] = std::min(low[k % d], mesh.at[k]);
    high[k % d] = std::max(high[k % d], mesh.at[k]);
  }
  std::vector<Index> vertices;
  std::vector<std::int64_t> keys;
  for (std::size_t v = 0; v < boundary.size(); ++v) {
    if (boundary[v]) continue;
    std::uint32_t place[3];
    for (int k = 0; k < d; ++k) {
      double const from_0_to_1 = (mesh.at[v * d + k] - low[k]) / (high[k] - low[k]);
      place[k] = static_cast<std::uint32_t>(from_0_to_1 * ((1u << bits) - 1));
    }
    vertices.push_back(static_cast<Index>(v));
    keys.push_back(hilbert_key(place, d, bits));
  }
  core::sort_by_key(Host{}, Span<std::int64_t>(keys.data(), keys.size()),
                    Span<Index>(vertices.data(), vertices.size()));
  return vertices;
}

/// The elements around each of this rank's vertices, ascending.
struct Around {
  std::vector<Offset> offsets;
  std::vector<Index> element;
};

/// number: of each vertex, or -1. Rows [begin, end) are this rank's.
Around elements_around(Mesh const& mesh, std::vector<GlobalIndex> const& number, GlobalIndex begin,
                       GlobalIndex end) {
  auto const corners = static_cast<std::size_t>(mesh.dimensions) + 1;
  Around around;
  around.offsets.assign(static_cast<std::size_t>(end - begin) + 1, 0);
  auto const owned = [&](std::size_t k) {
    auto const n = number[mesh.elements[k]];
    return begin <= n && n < end ? n - begin : -1;
  };
  for (std::size_t k = 0; k < mesh.elements.size(); ++k) {
    if (auto const row = owned(k); row >= 0) ++around.offsets[row + 1];
  }
  std::partial_sum(around.offsets.begin(), around.offsets.end(), around.offsets.begin());
  around.element.resize(static_cast<std::size_t>(around.offsets.back()));
  auto next = around.offsets;
  for (std::size_t k = 0; k < mesh.elements.size(); ++k) {
    if (auto const row = owned(k); row >= 0) around.element[next[row]++] = static_cast<Index>(k / corners);
  }
  return around;
}

/// Gradients of the linear basis functions of an element, times its measure's d! (the determinant).
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

/// One row of the stiffness matrix of linear elements: columns in the order in which elements bring them,
/// values summed over the elements in ascending order, which makes a_ij and a_ji equal bit by bit.
struct StiffnessRow {
  Mesh const& mesh;
  std::vector<GlobalIndex> const& number;
  Around const& around;

  using Entries = std::vector<std::pair<GlobalIndex, double>>;
  Entries const& operator()(Index row, GlobalIndex self) const {
    static thread_local Entries entries;
    entries.clear();
    int const d = mesh.dimensions;
    double const factorial = d == 2 ? 2 : 6;
    for (auto k = around.offsets[row]; k < around.offsets[row + 1]; ++k) {
      auto const element = around.element[k];
      auto const* const v = &mesh.elements[static_cast<std::size_t>(element) * (d + 1)];
      auto const g = gradients(mesh, element);
      int a = 0;
      while (number[v[a]] != self) ++a;
      for (int b = 0; b <= d; ++b) {
        if (number[v[b]] < 0) continue;
        double product = 0;
        for (int c = 0; c < d; ++c) product += g.value[a][c] * g.value[b][c];
        add(entries, number[v[b]], product / (factorial * std::abs(g.determinant)));
      }
    }
    return entries;
  }
  static void add(Entries& entries, GlobalIndex column, double value) {
    for (auto& [c, v] : entries) {
      if (c == column) {
        v += value;
        return;
      }
    }
    entries.emplace_back(column, value);
  }
};

struct CountRow {
  StiffnessRow stiffness;
  GlobalIndex begin;
  Span<Offset> offsets;
  void operator()(Index row) const { offsets[row] = static_cast<Offset>(stiffness(row, begin + row).size()); }
};

struct FillRow {
  StiffnessRow stiffness;
  GlobalIndex begin;
  Span<Offset const> offsets;
  Span<tpetra::GlobalOrdinal> column;
  Span<double> value;
  void operator()(Index row) const {
    auto k = offsets[row];
    for (auto const& [c, v] : stiffness(row, begin + row)) {
      column[k] = c;
      value[k++] = v;
    }
  }
};

/// Poisson's equation with linear elements; zero on the boundary, whose vertices are left out.
Problem poisson(Mesh mesh, Options const& options, CommPtr const& comm) {
  find_boundary(mesh);
  for (int times = static_cast<int>(options.at("refinements")); times > 0; --times) mesh = refined(mesh);
  auto const vertices = numbered_vertices(mesh);
  std::vector<GlobalIndex> number(mesh.vertices(), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) number[vertices[i]] = static_cast<GlobalIndex>(i);

  auto const map = tpetra::block_map(static_cast<GlobalIndex>(vertices.size()), 1, comm);
  auto const n = tpetra::local_size(*map);
  GlobalIndex const begin = n == 0 ? 0 : map->getMinGlobalIndex();
  auto const around = elements_around(mesh, number, begin, begin + static_cast<GlobalIndex>(n));
  StiffnessRow const stiffness{mesh, number, around};
  tpetra::GlobalRows rows{Array<Offset, Host>(Host{}, n + 1), {}, {}};
  core::for_each(Host{}, n, CountRow{stiffness, begin, rows.offsets.span()});
  auto const entries = static_cast<std::size_t>(
      core::exclusive_scan(Host{}, rows.offsets.span().part(0, n), rows.offsets.span()));
  rows.column = Array<tpetra::GlobalOrdinal, Host>(Host{}, entries);
  rows.value = Array<double, Host>(Host{}, entries);
  core::for_each(Host{}, n,
                 FillRow{stiffness, begin, rows.offsets.view(), rows.column.span(), rows.value.span()});

  Problem problem;
  problem.matrix = tpetra::assemble(map, rows);
  auto const d = static_cast<std::size_t>(mesh.dimensions);
  problem.coordinates = Teuchos::rcp(new tpetra::MultiVector(map, d, false));
  tpetra::WriteColumns const columns(*problem.coordinates, tpetra::Before::forgotten);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < d; ++k) columns[k][i] = mesh.at[vertices[begin + i] * d + k];
  }
  return problem;
}

}  // namespace

Problem unstructured_poisson_2d(Options const& options, CommPtr const& comm) {
  return poisson(unit_square(), options, comm);
}

Problem unstructured_poisson_3d(Options const& options, CommPtr const& comm) {
  return poisson(unit_cube(), options, comm);
}

Problem horseshoe_2d(Options const& options, CommPtr const& comm) {
  return poisson(horseshoe(), options, comm);
}

}  // namespace Tessera::gallery
