#pragma once
/// \file
/// Greedy aggregates, one vertex after the other: Bell, Dalton, Olson 2012, section 1.2.3.
#include <algorithm>
#include <vector>

#include "core/array.hpp"

namespace Tessera::oracle {

struct GreedyAggregates {
  std::vector<Index> aggregate;  ///< of each vertex; -1 for vertices without an edge
  std::vector<Index> root;       ///< of each aggregate, ascending
};

/// If no neighbour of a vertex has an aggregate, the vertex becomes a root, and its aggregate has all its
/// neighbours. A left-over vertex joins the aggregate of its first neighbour that has one. (In the paper the
/// choice of this neighbour is arbitrary.) offsets, neighbour: a symmetric graph without self edges, as
/// aggregation::StrengthGraph has it on one rank.
inline GreedyAggregates greedy_aggregates(Span<Offset const> offsets, Span<Index const> neighbour) {
  auto const n = static_cast<Index>(offsets.size()) - 1;
  GreedyAggregates found{std::vector<Index>(n, -1), {}};
  auto const around = [&](Index v) {
    return Span<Index const>(neighbour.data() + offsets[v],
                             static_cast<std::size_t>(offsets[v + 1] - offsets[v]));
  };
  for (Index v = 0; v < n; ++v) {
    auto const near = around(v);
    auto const is_taken = [&](Index u) { return found.aggregate[u] >= 0; };
    if (near.empty() || is_taken(v) || std::any_of(near.begin(), near.end(), is_taken)) continue;
    auto const number = static_cast<Index>(found.root.size());
    found.aggregate[v] = number;
    for (auto const u : near) found.aggregate[u] = number;
    found.root.push_back(v);
  }
  auto const of_roots = found.aggregate;
  for (Index v = 0; v < n; ++v) {
    if (of_roots[v] >= 0) continue;
    for (auto const u : around(v)) {
      if (of_roots[u] < 0) continue;
      found.aggregate[v] = of_roots[u];
      break;
    }
  }
  return found;
}

}  // namespace Tessera::oracle
