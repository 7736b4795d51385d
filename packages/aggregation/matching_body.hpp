#pragma once
/// \file
/// Weights of edges, and rounds of Hoepman's matching; see matching.hpp.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "aggregation/coarse_rounding.hpp"
#include "aggregation/ghosts.hpp"
#include "aggregation/matching.hpp"
#include "aggregation/mis2.hpp"
#include "aggregation/node_matrix.hpp"
#include "aggregation/numbering_body.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/for_each_entry.hpp"

namespace Tessera::aggregation {

/// Data of a vertex for its edges: e_i = a_ii w_i^2, and 1 / m_i if there is a mass.
struct Energy {
  double energy;
};
struct alignas(16) EnergyAndMass {
  double energy, per_mass;
};

template <class Vertex>
struct VertexEnergyBody {
  double const *diagonal, *given, *mass;  ///< given: null for ones
  double* w;
  Vertex* vertex;
  TESSERA_HD void operator()(Index i) const {
    w[i] = given == nullptr ? 1.0 : given[i];
    vertex[i].energy = diagonal[i] * (w[i] * w[i]);
    if constexpr (std::is_same_v<Vertex, EnergyAndMass>) vertex[i].per_mass = 1.0 / mass[i];
  }
};

/// c of each entry, bitwise the same from either end; 0 if the entry is no edge.
template <class Vertex>
struct MatchingWeightsBody {
  sparse::CsrView<double> A;
  double const* w;                        ///< ghosts included; null for ones
  Vertex const* vertex;                   ///< ghosts included
  Index columns;                          ///< columns from here on have no edges
  double least_quotient, drop_tolerance;  ///< the latter coarsely rounded
  float* weight;
  static constexpr int batch = 4;  ///< entries of a lane whose loads are in flight at once

  /// Whether smoothing reduces v_i / m_i - v_j / m_j; see matching_graph. product: a_ij w_i w_j
  TESSERA_HD bool is_smoothed(EnergyAndMass const& i, EnergyAndMass const& j, double product) const {
    double const p = i.per_mass, q = j.per_mass;
    double const reduced = i.energy * (p * p) + j.energy * (q * q) - 2.0 * product * (p * q);
    return reduced > 0.0 && coarsely_rounded(reduced) >= least_quotient * (p + q);
  }
  TESSERA_HD bool is_smoothed(Energy const&, Energy const&, double) const { return true; }
  TESSERA_HD bool is_weak(Vertex const& i, Vertex const& j, double product) const {
    if (drop_tolerance == 0.0) return false;
    double const scaled = std::fabs(product) / (std::sqrt(i.energy) * std::sqrt(j.energy));
    return !(coarsely_rounded(scaled) > drop_tolerance);
  }
  TESSERA_HD float of(double a, double both, Vertex const& i, Vertex const& j) const {
    double const c = coarsely_rounded(1.0 - 2.0 * (a * both) / (i.energy + j.energy));
    if (a == 0.0 || !(c > 0.0) || c > 3.0e38 || !is_smoothed(i, j, a * both)) return 0;
    return is_weak(i, j, a * both) ? weak_weight : static_cast<float>(c);
  }
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    Offset const end = A.offsets[i + 1];
    auto const mine = vertex[i];
    double const w_i = w == nullptr ? 1.0 : w[i];
    for (Offset first = A.offsets[i] + group.lane; first < end; first += batch * Group::size) {
      Index j[batch];
      double a[batch], both[batch];
      Vertex others[batch];
      for (int q = 0; q < batch; ++q) {
        Offset const k = first + q * Group::size;
        j[q] = k < end ? A.column[k] : i;
        a[q] = k < end ? A.value[k] : 0.0;
      }
      for (int q = 0; q < batch; ++q) {
        if (j[q] == i || j[q] >= columns) a[q] = 0.0, j[q] = i;
        others[q] = vertex[j[q]];
        both[q] = w == nullptr ? 1.0 : w_i * w[j[q]];
      }
      for (int q = 0; q < batch; ++q) {
        Offset const k = first + q * Group::size;
        if (k < end) weight[k] = of(a[q], both[q], mine, others[q]);
      }
    }
  }
};

/// Weights of A's entries.
template <class Vertex, class Space>
Array<float, Space> matching_weights(Space const& space, comm::DistCsr<double, Space> const& A,
                                     Span<double const> diagonal, Span<double const> w,
                                     PairCriteria const& criteria, Index columns) {
  constexpr int width = sizeof(Vertex) / sizeof(double);
  auto const owned = diagonal.size(), all = owned + A.halo.ghost_count();
  auto all_w = with_ghosts<double>(space, A.halo);
  Array<double, Space> numbers(space, width * all);
  auto* const vertex = reinterpret_cast<Vertex*>(numbers.data());
  core::for_each(
      space, owned,
      VertexEnergyBody<Vertex>{diagonal.data(), w.empty() ? nullptr : w.data(),
                               criteria.mass ? criteria.mass->data() : nullptr, all_w.data(), vertex});
  fetch_ghosts(space, A.halo, all_w);
  A.halo.template exchange<double>(space, numbers.view().part(0, width * owned),
                                   numbers.span().part(width * owned, width * (all - owned)), width);
  using Body = MatchingWeightsBody<Vertex>;
  Array<float, Space> weight(space, A.local.column.size());
  core::for_each_group(
      space, A.local.rows, weight.size() / Body::batch,
      Body{A.local.view(), w.empty() ? nullptr : all_w.data(), vertex, columns, criteria.least_quotient,
           coarsely_rounded(criteria.drop_tolerance), weight.data()});
  return weight;
}

template <class Space>
StrengthGraph<Space> matching_graph(Space const& space, comm::DistCsr<double, Space> const& A,
                                    Span<double const> diagonal, Span<double const> w,
                                    PairCriteria const& criteria, bool coupled) {
  StrengthGraph<Space> graph;
  auto const columns = coupled ? A.local.columns : A.local.rows;
  graph.weight = criteria.mass ? matching_weights<EnergyAndMass>(space, A, diagonal, w, criteria, columns)
                               : matching_weights<Energy>(space, A, diagonal, w, criteria, columns);
  graph.halo = coupled ? A.halo : comm::HaloPlan<Space>(A.rows);
  graph.offsets = Array<Offset, Space>::borrowed(space, A.local.offsets.view());
  graph.neighbour = Array<Index, Space>::borrowed(space, A.local.column.view());
  return graph;
}

/// max(max_k c_ik - 1, 0) of each vertex.
struct HeaviestOfVertexBody {
  Offset const* offsets;
  float const* weight;
  float* heaviest;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v) const {
    float largest = 1;
    for (Offset e = offsets[v] + group.lane; e < offsets[v + 1]; e += Group::size)
      largest = core::Max{}(largest, weight[e]);
    largest = group.reduce(largest, core::Max{});
    if (group.lane == 0) heaviest[v] = largest - 1;
  }
};

struct DeferLightEdgesBody {
  Offset const* offsets;
  Index const* neighbour;
  float const* heaviest;  ///< ghosts included
  Index columns;          ///< edges to columns from here on stay unchanged
  float share_for_smoothing, share_to_match_first;
  float* weight;
  unsigned char* strong;  ///< may be null
  TESSERA_HD Offset begin(Index v) const { return offsets[v]; }
  TESSERA_HD Offset end(Index v) const { return offsets[v + 1]; }
  TESSERA_HD void operator()(Index v, Offset e) const {
    Index const u = neighbour[e];
    if (u == v || u >= columns) return;
    float const above = weight[e] - 1;
    float const mine = heaviest[v], other = heaviest[u];
    float const larger = mine < other ? other : mine, smaller = mine < other ? mine : other;
    if (strong != nullptr && (above <= 0 || above < share_for_smoothing * smaller)) strong[e] = 0;
    if (above > 0 && above < share_to_match_first * larger) weight[e] = 1;
  }
};

template <class Space>
void defer_light_edges(Space const& space, StrengthGraph<Space>& graph, MatchingRules const& rules,
                       std::optional<Span<unsigned char>> strong) {
  auto const n = graph.nodes();
  auto const entries = graph.weight.size();
  auto heaviest = with_ghosts<float>(space, graph.halo);
  core::for_each_group(space, n, entries,
                       HeaviestOfVertexBody{graph.offsets.data(), graph.weight.data(), heaviest.data()});
  fetch_ghosts(space, graph.halo, heaviest);
  sparse::for_each_entry(
      space, n, entries,
      DeferLightEdgesBody{graph.offsets.data(), graph.neighbour.data(), heaviest.data(),
                          static_cast<Index>(heaviest.size()), static_cast<float>(rules.smoothing_share),
                          static_cast<float>(rules.first_share), graph.weight.data(),
                          strong ? strong->data() : nullptr});
}

struct NegateOffDiagonalBody {
  sparse::CsrView<double> A;
  double* value;
  TESSERA_HD void operator()(Index i) const {
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] != i) value[k] = -value[k];
    }
  }
};

template <class Space>
comm::DistCsr<double, Space> matching_nodes(Space const& space, comm::DistCsr<double, Space> const& A,
                                            int equations) {
  auto nodes = node_matrix(space, A, equations, BlockMeasure::norm).matrix;
  core::for_each(space, nodes.local.rows,
                 NegateOffDiagonalBody{nodes.local.view(), nodes.local.value.data()});
  return nodes;
}

/// The graph and the state of its vertices. Ids are -1 for none.
struct MatchingView {
  Offset const* offsets;
  Index const* neighbour;
  float const* weight;  ///< 0: no edge
  VertexId const* ids;  ///< ghosts included
  VertexId* free;       ///< the vertex itself while it is free, then -1; ghosts included
  VertexId* pointer;    ///< the id of the vertex that each vertex points at; ghosts included
  Index* column;        ///< the column of this vertex; the own column if there is none; owned vertices
  float least;          ///< edges match only with weights above
};

/// The result of the rounds.
template <class Space>
struct Mates {
  Array<VertexId, Space> ids, free;  ///< as in MatchingView
  Array<Index, Space> column;        ///< of each vertex's mate; its own if it has none
  int rounds;
  MatchingView view(StrengthGraph<Space> const& graph, VertexId* pointer, float least = 0) {
    return {graph.offsets.data(), graph.neighbour.data(),
            graph.weight.data(),  ids.data(),
            free.data(),          pointer,
            column.data(),        least};
  }
};

/// An edge of one vertex.
struct HeaviestEdge {
  float weight;
  Index column;  ///< -1: none
  std::uint64_t tie;
  VertexId other;

  TESSERA_HD HeaviestEdge() : weight(0), column(-1), tie(0), other(-1) {}
  /// e: an edge of v to a free vertex.
  TESSERA_HD HeaviestEdge(MatchingView const& graph, VertexId mine, Offset e)
      : weight(graph.weight[e]), column(graph.neighbour[e]), tie(0), other(graph.free[column]) {
    VertexId const low = mine < other ? mine : other, high = mine < other ? other : mine;
    tie = core::mix64(core::mix64(static_cast<std::uint64_t>(low)) + static_cast<std::uint64_t>(high));
  }
  /// Both edges belong to one vertex, so the smaller other end decides ties of both ids.
  TESSERA_HD bool beats(HeaviestEdge const& edge) const {
    if (column < 0 || edge.column < 0) return column >= 0;
    if (weight != edge.weight) return weight > edge.weight;
    return tie > edge.tie || (tie == edge.tie && other < edge.other);
  }
};

struct MatchingBeginBody {
  MatchingView graph;
  TESSERA_HD bool operator()(Index v) const {
    bool const is_free = graph.offsets[v + 1] > graph.offsets[v];
    graph.free[v] = is_free ? graph.ids[v] : -1;
    graph.pointer[v] = -1;
    graph.column[v] = v;
    return is_free;
  }
};

struct PointAtHeaviestBody {
  MatchingView graph;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v, int round) const {
    if (round > 0 && graph.free[graph.column[v]] >= 0) return;  // the heaviest neighbour is still free
    VertexId const mine = graph.ids[v];
    HeaviestEdge best;
    for (Offset e = graph.offsets[v] + group.lane; e < graph.offsets[v + 1]; e += Group::size) {
      float const weight = graph.weight[e];
      if (weight > graph.least && weight >= best.weight && graph.free[graph.neighbour[e]] >= 0)
        best = core::Better{}(best, HeaviestEdge{graph, mine, e});
    }
    best = group.reduce(best, core::Better{});
    if (group.lane != 0) return;
    graph.pointer[v] = best.other;
    graph.column[v] = best.column < 0 ? v : best.column;
  }
};

/// Returns whether v is still free. The last round ends all searches, because in an unsymmetric graph
/// vertices may wait for each other without end.
struct MatchBody {
  MatchingView graph;
  int last_round;
  TESSERA_HD bool operator()(Index v, int round) const {
    Index const u = graph.column[v];
    bool const matched = u == v || graph.pointer[u] == graph.ids[v];
    if (!matched && round < last_round) return true;
    if (!matched) graph.column[v] = v;
    graph.free[v] = -1;
    return false;
  }
};

/// The column of the root of a vertex's pair, the vertex with the smaller id; -1: in no aggregate.
struct RootOfPairBody {
  MatchingView graph;
  bool keeps_isolated;
  Index* root;
  TESSERA_HD bool has_edge(Index v) const {
    for (Offset e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      if (graph.weight[e] > 0) return true;
    }
    return false;
  }
  TESSERA_HD void operator()(Index v) const {
    Index const mate = graph.column[v];
    bool const left_out = !keeps_isolated && mate == v && !has_edge(v);
    root[v] = left_out ? -1 : graph.ids[v] <= graph.ids[mate] ? v : mate;
  }
};

template <class Space>
Mates<Space> matched(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                     int last_round, float least = 0) {
  auto const n = static_cast<std::size_t>(graph.nodes());
  auto const& halo = graph.halo;
  bool const one_rank = halo.distribution().on_one_rank();
  Mates<Space> mates{{}, with_ghosts<VertexId>(space, halo), Array<Index, Space>(space, n), 0};
  auto pointer = with_ghosts<VertexId>(space, halo);
  if (one_rank) {
    mates.ids = Array<VertexId, Space>::borrowed(space, ids);
  } else {
    mates.ids = with_ghosts<VertexId>(space, halo);
    core::copy(space, ids, space, mates.ids.span().part(0, n));
    fetch_ghosts(space, halo, mates.ids);
  }
  auto const view = mates.view(graph, pointer.data(), std::max(least, weak_weight));
  auto const ghosts = ghosts_of_steps(space, halo, mates.free, pointer);
  mates.rounds = sparse::frontier(space, size_of(graph), {}, one_rank ? nullptr : &ghosts,
                                  MatchingBeginBody{view}, sparse::visit<0>(PointAtHeaviestBody{view}),
                                  sparse::keep<0>(MatchBody{view, last_round}))
                     .rounds;
  return mates;
}

template <class Space>
Aggregates<Space> matched_pairs(Space const& space, StrengthGraph<Space> const& graph,
                                Span<VertexId const> ids, Isolated isolated, float least, int* rounds) {
  auto const n = static_cast<std::size_t>(graph.nodes());
  auto const& halo = graph.halo;
  // A round matches at least one pair.
  auto const pairs_at_most = std::min<GlobalIndex>(halo.distribution().global_size() / 2, 1 << 30);
  auto mates = matched(space, graph, ids, static_cast<int>(pairs_at_most), least);
  if (rounds != nullptr) *rounds = mates.rounds;

  Array<Index, Space> root(space, n);
  core::for_each(space, n,
                 RootOfPairBody{mates.view(graph, nullptr), isolated == Isolated::kept, root.data()});
  auto number = with_ghosts<GlobalIndex>(space, halo);
  auto pairs = numbered_aggregates(space, halo, root.view(), ids, number);
  if (halo.ghost_count() == 0) {
    pairs.aggregate = std::move(number);
  } else {
    core::copy(space, number.view().part(0, n), space, pairs.aggregate.span());
  }
  return pairs;
}

}  // namespace Tessera::aggregation
