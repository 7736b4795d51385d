#pragma once
/// \file
/// Root assignment; see aggregates.hpp.
#include <cmath>

#include "aggregation/aggregates.hpp"
#include "aggregation/coarse_rounding.hpp"
#include "aggregation/ghosts.hpp"
#include "aggregation/mis2.hpp"
#include "aggregation/numbering_body.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

/// Values of joined[v] for vertices without a root. For the other vertices joined[v] is the column of the
/// root, v or a neighbour.
constexpr Index left_over = -1;
constexpr Index kept_out = -2;
constexpr Index follower =
    -3;  ///< no neighbour depends on the vertex, which joins an aggregate after all left-over vertices

/// Vertices on which a neighbour depends (StrengthGraph::leads).
struct Leaders {
  unsigned char const* leads;  ///< null: all
  TESSERA_HD bool operator()(Index v) const { return leads == nullptr || leads[v] != 0; }
};

struct GraphView {
  Offset const* offsets;
  Index const* neighbour;
  float const* weight;
};

/// Vertices with an edge on which a neighbour depends take part in the first phase. All are left over before.
struct HasEdgeBody {
  Offset const* offsets;
  Leaders leads;
  unsigned char* candidate;
  TESSERA_HD bool operator()(Index v) const {
    candidate[v] = offsets[v + 1] > offsets[v] && leads(v) ? 1 : 0;
    return true;
  }
};

/// Assigns v to a root of this phase. Returns whether v is left over.
struct JoinRootBody {
  GraphView graph;
  unsigned char const* root;  ///< new ones, ghosts included
  Leaders leads;
  Index* joined;
  TESSERA_HD bool operator()(Index v) const {
    Offset const begin = graph.offsets[v], end = graph.offsets[v + 1];
    Index column = begin == end ? kept_out : !leads(v) ? follower : root[v] != 0 ? v : left_over;
    for (Offset e = begin; e < end && column == left_over; ++e) {
      if (root[graph.neighbour[e]] != 0) column = graph.neighbour[e];
    }
    joined[v] = column;
    return column == left_over || column == follower;
  }
};

/// Candidates of an extra phase: left-over vertices with enough left-over vertices in their closed
/// neighbourhood may become roots (1). Paths lead through the other left-over vertices (2); without these
/// paths, two new roots would share the vertices between them. On 101^3 points (7-point stencil) the paths
/// give 3 % fewer aggregates, and no aggregate has a single vertex.
struct SecondPassCandidateBody {
  GraphView graph;
  Index const* joined;  ///< ghosts included
  int degree;
  unsigned char* candidate;
  TESSERA_HD void operator()(Index v) const {
    int around = 1;
    for (Offset e = graph.offsets[v]; around < degree && e < graph.offsets[v + 1]; ++e)
      around += joined[graph.neighbour[e]] == left_over ? 1 : 0;
    candidate[v] = joined[v] == follower ? 0 : around >= degree ? 1 : 2;
  }
};

/// The last phase. The strength of connection to an aggregate is the sum of |weight| over the edges to it, in
/// storage order. It is coarsely rounded, because this order depends on the number of ranks. Each lane sums
/// the weights to the aggregate at the far end of one edge. Only vertices that had an aggregate before this
/// phase count.
struct JoinStrongestBody {
  struct Choice {
    double strength;
    VertexId root;  ///< -1: none
    Index through;  ///< a neighbour in the aggregate
    Index padding;
    TESSERA_HD bool beats(Choice const& other) const {
      return root >= 0 && (other.root < 0 || strength > other.strength ||
                           (strength == other.strength && root < other.root));
    }
  };
  struct Better {
    TESSERA_HD Choice operator()(Choice const& a, Choice const& b) const { return b.beats(a) ? b : a; }
  };

  GraphView graph;
  Index const* joined;
  Index which;              ///< left_over or follower
  VertexId const* root_id;  ///< ghosts included
  GlobalIndex* aggregate;   ///< ghosts included
  VertexId* joined_id;      ///< the root's id of a vertex that joins; may be null

  template <class Group>
  TESSERA_HD double connection(Group const& group, Index v, VertexId root) const {
    Offset const end = graph.offsets[v + 1];
    double sum = 0.0;
    for (Offset from = graph.offsets[v]; from < end; from += Group::size) {
      auto const e = from + group.lane;
      VertexId const other = e < end ? root_id[graph.neighbour[e]] : -1;
      double const weight = e < end ? std::fabs(static_cast<double>(graph.weight[e])) : 0.0;
      int const count = end - from < Group::size ? static_cast<int>(end - from) : Group::size;
      for (int l = 0; l < count; ++l) {
        VertexId const here = group.broadcast(other, l);
        double const term = group.broadcast(weight, l);
        if (here == root) sum += term;
      }
    }
    return coarsely_rounded(sum);
  }
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v) const {
    if (joined[v] != which) return;
    Offset const end = graph.offsets[v + 1];
    Choice best{0.0, -1, -1, 0};
    for (Offset from = graph.offsets[v]; from < end; from += Group::size) {
      Index const u = from + group.lane < end ? graph.neighbour[from + group.lane] : -1;
      VertexId const root = u < 0 ? -1 : root_id[u];
      if (!group.any(root >= 0 && root != best.root)) continue;
      best = Better{}(best, {connection(group, v, root), root, u, 0});
    }
    best = group.reduce(best, Better{});
    if (group.lane != 0 || best.root < 0) return;
    aggregate[v] = aggregate[best.through];
    if (joined_id != nullptr) joined_id[v] = best.root;
  }
};

/// Assigns the left-over vertices, then the followers, to their strongest aggregates. joined, root_id,
/// number: with ghosts. Collective if there are followers.
template <class Space>
void join_remaining(Space const& space, GraphView const& view, comm::HaloPlan<Space> const& halo,
                    sparse::VertexLists<Space>& left, Span<Index const> joined,
                    Array<VertexId, Space> const& root_id, Array<GlobalIndex, Space>& number,
                    bool have_followers) {
  auto joined_id = have_followers ? core::copied(space, root_id.view(), space) : Array<VertexId, Space>{};
  left.template visit<0>(space,
                         JoinStrongestBody{view, joined.data(), left_over, root_id.data(), number.data(),
                                           have_followers ? joined_id.data() : nullptr});
  if (!have_followers) return;
  fetch_ghosts_agreed(space, halo, number);
  fetch_ghosts_agreed(space, halo, joined_id);
  left.template visit<0>(
      space, JoinStrongestBody{view, joined.data(), follower, joined_id.data(), number.data(), nullptr});
}

template <class Space>
Aggregates<Space> aggregate(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                            AggregationParameters const& parameters) {
  auto const n = static_cast<std::size_t>(graph.nodes());
  auto const& halo = graph.halo;
  GraphView const view{graph.offsets.data(), graph.neighbour.data(), graph.weight.data()};
  Leaders const leads{graph.leads.empty() ? nullptr : graph.leads.data()};
  auto all_ids = with_ghosts<VertexId>(space, halo);
  core::copy(space, ids, space, all_ids.span());

  // Roots and their neighbours.
  auto root = with_ghosts<unsigned char>(space, halo);
  Array<unsigned char, Space> candidate(space, n);
  auto joined = with_ghosts<Index>(space, halo);
  JoinRootBody const joins{view, root.data(), leads, joined.data()};  // no vertex has two roots around it
  sparse::VertexLists<Space> left(space, size_of(graph), {},
                                  HasEdgeBody{view.offsets, leads, candidate.data()});
  auto const find_roots = [&](sparse::VertexSubset const& subset) {
    auto const run = mis2(space, graph, ids, candidate.view(), subset, parameters, root.span().part(0, n));
    fetch_ghosts_agreed(space, halo, root);
    left.template keep<0>(space, joins);
    return run.one_kernel || run.rounds > 0;
  };
  bool found = find_roots({});
  fetch_ghosts_agreed(space, halo, all_ids);

  // Extra phases on the left-over vertices. A launch for an empty list costs less time than a copy of its
  // length to the host, and less than an answer of all ranks.
  bool const one_rank = halo.distribution().on_one_rank();
  auto const may_be_left = [&] { return !one_rank || left.most(0) > 0; };
  for (int phase = 0; phase < parameters.extra_phases && found && may_be_left(); ++phase) {
    fetch_ghosts_agreed(space, halo, joined);
    left.template visit<0>(
        space, SecondPassCandidateBody{view, joined.data(), parameters.extra_degree, candidate.data()});
    found = find_roots(left.subset(0));
  }

  // Number the aggregates in the order of their roots.
  auto root_id = with_ghosts<VertexId>(space, halo);
  auto number = with_ghosts<GlobalIndex>(space, halo);
  auto result =
      numbered_aggregates(space, halo, joined.view().part(0, n), all_ids.view(), number, root_id.data());

  fetch_ghosts_agreed(space, halo, number);
  fetch_ghosts_agreed(space, halo, root_id);
  join_remaining(space, view, halo, left, joined.view(), root_id, number, leads.leads != nullptr);
  core::copy(space, number.view().part(0, n), space, result.aggregate.span());
  return result;
}

}  // namespace Tessera::aggregation
