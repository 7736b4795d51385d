#pragma once
/// \file
/// Who joins which root; see aggregates.hpp.
#include "aggregation/aggregates.hpp"
#include "aggregation/coarse_rounding.hpp"

namespace Tessera::aggregation {

/// What joined[v] says when it is not the column of v's root, which is v itself or a neighbour.
constexpr Index left_over = -1;
constexpr Index kept_out = -2;

struct GraphView {
  Offset const* offsets;
  Index const* neighbour;
  float const* weight;
};

/// Vertices with an edge take part in the first phase.
struct HasEdgeBody {
  Offset const* offsets;
  unsigned char* candidate;
  TESSERA_HD void operator()(Index v) const { candidate[v] = offsets[v + 1] > offsets[v] ? 1 : 0; }
};

/// First phase: no vertex has two roots around it.
struct JoinRootBody {
  GraphView graph;
  unsigned char const* root;  ///< ghosts included
  Index* joined;
  TESSERA_HD void operator()(Index v) const {
    Index column = root[v] != 0 ? v : left_over;
    Offset const begin = graph.offsets[v], end = graph.offsets[v + 1];
    for (Offset e = begin; e < end && column == left_over; ++e) {
      if (root[graph.neighbour[e]] != 0) column = graph.neighbour[e];
    }
    joined[v] = begin == end ? kept_out : column;
  }
};

struct IsLeftOver {
  Index const* joined;
  TESSERA_HD bool operator()(Index v) const { return joined[v] == left_over; }
};

struct MarkBody {
  Index const* list;
  unsigned char* mark;
  TESSERA_HD void operator()(Index k) const { mark[list[k]] = 1; }
};

/// Who takes part in an extra phase: left-over vertices, as roots those with enough left-over vertices around
/// them. Distances count through all of them, else two new roots would tear at the vertices between them: on
/// 101^3 points, 7-point stencil, that makes 3 % fewer aggregates and none of a single vertex.
struct CrowdedBody {
  GraphView graph;
  unsigned char const* left;  ///< ghosts included
  Index const* list;          ///< of those left over
  int degree;
  unsigned char* candidate;
  TESSERA_HD void operator()(Index k) const {
    Index const v = list[k];
    int around = 1;
    for (Offset e = graph.offsets[v]; around < degree && e < graph.offsets[v + 1]; ++e)
      around += left[graph.neighbour[e]];
    candidate[v] = around >= degree ? 1 : 2;
  }
};

/// Extra phases: the new roots' left-over neighbours. No vertex has two new roots around it.
struct JoinNewRootBody {
  GraphView graph;
  unsigned char const* root;  ///< the new ones, ghosts included
  Index const* list;
  Index* joined;
  TESSERA_HD void operator()(Index k) const {
    Index const v = list[k];
    Index column = root[v] != 0 ? v : left_over;
    for (Offset e = graph.offsets[v]; e < graph.offsets[v + 1] && column == left_over; ++e) {
      if (root[graph.neighbour[e]] != 0) column = graph.neighbour[e];
    }
    joined[v] = column;
  }
};

struct IsRoot {
  Index const* joined;
  TESSERA_HD bool operator()(Index v) const { return joined[v] == v; }
};

/// Names and numbers of the roots.
struct NumberRootBody {
  Index const* roots;
  VertexId const* ids;
  GlobalIndex first;
  GlobalIndex* aggregate;
  VertexId* aggregate_id;
  TESSERA_HD void operator()(Index k) const {
    aggregate[roots[k]] = first + k;
    aggregate_id[k] = ids[roots[k]];
  }
};

/// Members take the number of their root, which does not change here.
struct NumberMemberBody {
  Index const* joined;
  VertexId const* ids;
  GlobalIndex* aggregate;  ///< ghosts included, set for roots
  VertexId* root_id;       ///< -1 where there is no aggregate
  TESSERA_HD void operator()(Index v) const {
    Index const root = joined[v];
    if (root != v) aggregate[v] = root >= 0 ? aggregate[root] : -1;
    root_id[v] = root >= 0 ? ids[root] : -1;
  }
};

/// The last phase. How strong an aggregate is connected is the sum of the weights of the edges to it,
/// coarsely rounded, since the order of the edges is not the same on any number of ranks. Looks only at
/// vertices that had an aggregate before.
struct JoinStrongestBody {
  GraphView graph;
  VertexId const* root_id;  ///< ghosts included
  Index const* list;
  GlobalIndex* aggregate;  ///< ghosts included
  TESSERA_HD double connection(Index v, VertexId root) const {
    double sum = 0.0;
    for (Offset e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      if (root_id[graph.neighbour[e]] == root) sum += static_cast<double>(graph.weight[e]);
    }
    return coarsely_rounded(sum);
  }
  TESSERA_HD void operator()(Index k) const {
    Index const v = list[k];
    double strongest = 0.0;
    VertexId chosen = -1;
    for (Offset e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      Index const u = graph.neighbour[e];
      VertexId const root = root_id[u];
      if (root < 0 || root == chosen) continue;
      double const strength = connection(v, root);
      if (chosen < 0 || strength > strongest || (strength == strongest && root < chosen)) {
        chosen = root;
        strongest = strength;
        aggregate[v] = aggregate[u];
      }
    }
  }
};

/// The same in one pass over the edges, with a list of the aggregates around; JoinStrongestBody where the
/// list is too short.
struct JoinStrongestOfFewBody {
  static constexpr int few = 16;
  JoinStrongestBody body;
  void operator()(Index k) const {
    auto const& graph = body.graph;
    Index const v = body.list[k];
    VertexId root[few];
    Index member[few];
    double sum[few];
    int known = 0;
    for (Offset e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      Index const u = graph.neighbour[e];
      VertexId const around = body.root_id[u];
      if (around < 0) continue;
      int s = 0;
      while (s < known && root[s] != around) ++s;
      if (s == known) {
        if (known == few) return body(k);
        root[s] = around;
        member[s] = u;
        sum[s] = 0.0;
        ++known;
      }
      sum[s] += static_cast<double>(graph.weight[e]);
    }
    double strongest = 0.0;
    int chosen = -1;
    for (int s = 0; s < known; ++s) {
      double const strength = coarsely_rounded(sum[s]);
      if (chosen < 0 || strength > strongest || (strength == strongest && root[s] < root[chosen])) {
        chosen = s;
        strongest = strength;
      }
    }
    if (chosen >= 0) body.aggregate[v] = body.aggregate[member[chosen]];
  }
};

}  // namespace Tessera::aggregation
