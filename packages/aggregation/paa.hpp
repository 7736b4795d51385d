#pragma once
/// \file
/// The parallel aggregation algorithm (PAA) of Brannick, Chen, Hu, Zikatanov 2013, Algorithm 2.
#include "aggregation/aggregates.hpp"

namespace Tessera::aggregation {

/// Rounds, until all vertices have an aggregate: a vertex whose priority is above that of all others within
/// distance two that have none becomes a centre; the aggregate is the centre and its neighbours that have
/// none. Of more than parameters.largest the centre and those of the smallest numbers stay, which gives the
/// coarsening ratios of the paper's tables 5.1 and 5.6; the others are left to later rounds.
///
/// A leaf, which has one neighbour, and would be an aggregate by itself, goes with that neighbour's, beyond
/// the limit (but not where it is 1). By themselves leaves stay leaves on the next level, and of those around
/// one vertex only parameters.largest - 1 join it on each: hierarchies of grids end in stars that no pass
/// makes smaller. What a leaf differs from its neighbour by is damped by any smoother, so that it needs no
/// coarse vertex. Grids and meshes have no leaves; coarse levels do.
///
/// The priority is (degree, number mod 12, a hash of the number), where vertices are numbered from 0 on in
/// the order of their ids (below 2^43 of them): a total order of integers, the paper's v_i with its random
/// number replaced. Its distances count through all vertices.
///
/// Aggregates are numbered in the order of their centres on this rank, as aggregate()'s are; their ids are
/// consecutive numbers in the order of the centres' numbers. So nothing but the number of an aggregate
/// depends on who owns what, and that neither where ids ascend over the ranks. rounds: how many it took;
/// null: nobody asks. Collective.
template <class Space>
Aggregates<Space> paa(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                      AggregationParameters const& parameters, Isolated isolated = Isolated::left_out,
                      int* rounds = nullptr);

}  // namespace Tessera::aggregation
