#pragma once
/// \file
/// A matching on the frontier engine, for any space: each undecided vertex points at its heaviest undecided
/// neighbour; two vertices that point at each other match. Edges are in a total order, so this is the greedy
/// matching (Hoepman 2004).
#include <algorithm>
#include <tuple>
#include <vector>

#include "core/hash.hpp"
#include "sparse/csr.hpp"
#include "sparse/engine/frontier.hpp"

namespace Tessera::sparse {

/// An edge and its other end. A hash of the ends breaks ties between equal weights, so that grids have no
/// long chains.
struct WeighedEdge {
  double weight;
  std::uint64_t tie;
  Index to;  ///< -1: none
  Index padding;
  TESSERA_HD bool beats(WeighedEdge const& other) const {
    return to >= 0 && (other.to < 0 || weight > other.weight || (weight == other.weight && tie > other.tie));
  }
};

TESSERA_HD inline WeighedEdge weighed(CsrView<double> const& A, Index v, Offset e) {
  Index const u = A.column[e];
  auto const low = static_cast<std::uint64_t>(u < v ? u : v),
             high = static_cast<std::uint64_t>(u < v ? v : u);
  return {-A.value[e], core::mix64(low << 32 | high), u, 0};
}

struct HeavierEdge {
  TESSERA_HD WeighedEdge operator()(WeighedEdge const& a, WeighedEdge const& b) const {
    return b.beats(a) ? b : a;
  }
};

constexpr Index undecided_vertex = -1;

/// mate: undecided_vertex, the vertex itself if it has no partner, or its partner.
struct BeginMatchingBody {
  Index* mate;
  TESSERA_HD bool operator()(Index v) const {
    mate[v] = undecided_vertex;
    return true;
  }
};

struct PointBody {
  CsrView<double> A;
  Index const* mate;
  Index* pointer;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v, int) const {
    WeighedEdge best{0, 0, -1, 0};
    for (auto e = A.offsets[v] + group.lane; e < A.offsets[v + 1]; e += Group::size) {
      Index const u = A.column[e];
      if (u != v && mate[u] == undecided_vertex) best = HeavierEdge{}(best, weighed(A, v, e));
    }
    best = group.reduce(best, HeavierEdge{});
    if (group.lane == 0) pointer[v] = best.to;
  }
};

struct MatchBody {
  Index const* pointer;
  Index* mate;
  TESSERA_HD bool operator()(Index v, int) const {
    Index const u = pointer[v];
    if (u < 0) mate[v] = v;
    if (u >= 0 && pointer[u] == v) mate[v] = u;
    return mate[v] == undecided_vertex;
  }
};

/// Ranks whose answers are those of `any`.
inline FrontierRanks ranks_with(std::function<bool(bool)> const& any,
                                std::function<void(int)> const& before) {
  auto const asked = std::make_shared<bool>();
  return {any, [asked](bool yes, std::exception_ptr) { *asked = yes; }, [any, asked] { return any(*asked); },
          before};
}

struct Matching {
  std::vector<Index> mate;
  FrontierRun run;
};

/// among: the vertices that take part; empty: all. The other vertices count as matched.
template <class Space>
Matching matching(Space const& space, Csr<double, Space> const& A, FrontierRanks const* ranks,
                  std::vector<Index> const& among = {}) {
  Array<Index, Space> mate(space, A.rows), pointer(space, A.rows);
  core::fill(space, mate.span(), -2);
  auto const list = core::to_space(space, among);
  auto const run =
      frontier(space, GraphSize{static_cast<std::size_t>(A.rows), A.column.size()}, list.view(), ranks,
               BeginMatchingBody{mate.data()}, visit<0>(PointBody{A.view(), mate.data(), pointer.data()}),
               keep<0>(MatchBody{pointer.data(), mate.data()}));
  return {core::to_vector(space, mate.view()), run};
}

/// Greedy: edges from the heaviest on match two free vertices.
inline std::vector<Index> greedy_matching(Csr<double, Host> const& A, std::vector<Index> const& among = {}) {
  std::vector<Index> mate(A.rows, among.empty() ? undecided_vertex : -2);
  for (auto const v : among) mate[v] = undecided_vertex;
  std::vector<std::tuple<double, std::uint64_t, Index, Index>> edges;
  for (Index v = 0; v < A.rows; ++v) {
    for (auto e = A.offsets[v]; e < A.offsets[v + 1]; ++e) {
      auto const edge = weighed(A.view(), v, e);
      if (edge.to < v) edges.emplace_back(edge.weight, edge.tie, v, edge.to);
    }
  }
  std::sort(edges.rbegin(), edges.rend());
  for (auto const& [weight, tie, v, u] : edges) {
    if (mate[v] != undecided_vertex || mate[u] != undecided_vertex) continue;
    mate[v] = u;
    mate[u] = v;
  }
  for (Index v = 0; v < A.rows; ++v) {
    if (mate[v] == undecided_vertex) mate[v] = v;
  }
  return mate;
}

/// Two vertices of three.
inline std::vector<Index> some_vertices(Index n) {
  std::vector<Index> some;
  for (Index v = 0; v < n; ++v) {
    if (core::mix64(static_cast<std::uint64_t>(v)) % 3 != 0) some.push_back(v);
  }
  return some;
}

}  // namespace Tessera::sparse
