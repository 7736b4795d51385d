#pragma once
/// \file
/// Deterministic maximal independent sets of distance two.
#include "aggregation/aggregates.hpp"
#include "sparse/engine/frontier.hpp"

namespace Tessera::aggregation {

template <class Space>
sparse::GraphSize size_of(StrengthGraph<Space> const& graph) {
  return {static_cast<std::size_t>(graph.nodes()), graph.neighbour.size()};
}

/// Sets in[v] of the owned vertices: 1 in a maximal set without two vertices within distance 2, else 0.
/// candidate[v]: 1: v may be a member; 2: v may not, but paths lead through it; 0: v is not part of the
/// graph; empty: all 1. existing: the vertices to consider, if they are few; candidate is read for these
/// alone.
///
/// Bell, Dalton, Olson 2012, Algorithm 5 with k = 2 and its second update pass; priorities are re-hashed from
/// ids each round (Kelley, Rajamanickam, arXiv 2204.02934), so the set depends on the graph and the ids
/// alone. In round r (from 0) each undecided vertex whose core::mix62(id, seed 2^32 + r) is the largest among
/// the undecided vertices within distance 2 becomes a member; then each vertex within distance 2 of a member
/// leaves the search.
///
/// parameters: seed. ids: owned vertices' persistent ids, below 2^62, distinct over all ranks. Collective.
template <class Space>
sparse::FrontierRun mis2(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                         Span<unsigned char const> candidate, sparse::VertexSubset const& existing,
                         AggregationParameters const& parameters, Span<unsigned char> in);

}  // namespace Tessera::aggregation
