#pragma once
/// \file
/// The parallel aggregation algorithm (PAA) of Brannick, Chen, Hu, Xu, Zikatanov 2013, Algorithm 2.
#include "aggregation/aggregates.hpp"

namespace Tessera::aggregation {

/// Rounds, until all vertices have an aggregate: a vertex whose priority is above that of all others within
/// distance two that have none becomes a centre; the aggregate is the centre and its neighbours that have
/// none. Of more than parameters.largest the centre and those of the smallest numbers stay, which gives the
/// coarsening ratios of the paper's tables 5.1 and 5.6; the others are left to later rounds.
///
/// The priority is (degree, number mod 12, a hash of the number), where vertices are numbered from 0 on in
/// the order of their ids (below 2^43 of them): a total order of integers, the paper's v_i with its random
/// number replaced. Its distances count through all vertices.
///
/// Aggregates are numbered in the order of their centres on this rank, as aggregate()'s are; their ids are
/// consecutive numbers in the order of the centres' numbers. So nothing but the number of an aggregate
/// depends on who owns what, and that neither where ids ascend over the ranks. Collective.
template <class Space>
Aggregates<Space> paa(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                      AggregationParameters const& parameters, Isolated isolated = Isolated::left_out);

}  // namespace Tessera::aggregation
