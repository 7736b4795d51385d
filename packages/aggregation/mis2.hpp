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

/// in[v] for the owned vertices: 1 in a maximal set no two of which are within distance 2, else 0.
/// candidate[v]: 1 may be in, 2 may not but paths lead through it, 0 does not exist; empty: all 1. existing:
/// those that exist where they are few, which are all that are asked whether they are candidates.
///
/// Bell, Dalton, Olson 2012, Algorithm 5 with k = 2 and its second update pass; priorities are re-hashed from
/// ids each round (Kelley, Rajamanickam, arXiv 2204.02934), so the set depends on the graph and the ids
/// alone: in round r (from 0) each undecided vertex whose core::mix62(id, seed 2^32 + r) is the largest among
/// the undecided ones within distance 2 becomes a member, then whoever is within distance 2 of a member is
/// out.
///
/// parameters: seed and order. RootOrder::front wins by order before it wins by lot: an undecided vertex next
/// to one within distance 2 of a member beats all that are not. So roots spread from a few vertices, each at
/// distance three of one that is there already, which packs lines and planes: 3.2 nodes a root on a line in
/// the place of 3.7. The few are those whose hash (of 61 bits) is high enough for the round; in round 16 all
/// are. Same argument as above: graph and ids alone decide.
///
/// ids: owned vertices' persistent ids, below 2^62 (2^61 by front), distinct over all ranks. Collective.
template <class Space>
sparse::FrontierRun mis2(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                         Span<unsigned char const> candidate, sparse::Among const& existing,
                         AggregationParameters const& parameters, Span<unsigned char> in);

}  // namespace Tessera::aggregation
