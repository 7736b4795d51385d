#pragma once
/// \file
/// The parallel aggregation algorithm (PAA) of Brannick, Chen, Hu, Zikatanov 2013, Algorithm 2.
#include "aggregation/aggregates.hpp"
#include "comm/distribution.hpp"
#include "core/array.hpp"

namespace Tessera::aggregation {

/// Rounds until all vertices have an aggregate. A free vertex (one without an aggregate) whose priority is
/// the largest among the free vertices within distance two becomes a centre. Its aggregate is the centre with
/// its free neighbours, at most parameters.largest vertices: the neighbours with the smallest numbers are
/// taken, which gives the coarsening ratios of the paper's tables 5.1 and 5.6. The other neighbours are left
/// to later rounds.
///
/// A leaf (a vertex with one neighbour) that would be a single-vertex aggregate joins its neighbour's
/// aggregate, even beyond the limit, unless the limit is 1. Otherwise leaves stay leaves on the next level,
/// and only parameters.largest - 1 leaves of a vertex join it per level. Then hierarchies of grids end in
/// stars that no pass coarsens. Any smoother damps the difference between a leaf and its neighbour, so a leaf
/// needs no coarse vertex.
///
/// The priority is (degree, number mod 12, a hash of the number), where vertices are numbered from 0 on in
/// the order of their ids (at most 2^43 vertices). It is a total order of integers, like the paper's v_i with
/// its random number replaced. Distances of the paper's v_i count through all vertices.
///
/// Aggregates are numbered in the order of their centres on this rank, as in aggregate(). Their ids are
/// consecutive numbers in the order of the centres' numbers. Only the number of an aggregate depends on the
/// distribution, and only if ids do not ascend with the ranks. rounds: set to the number of rounds; may be
/// null. Collective.
template <class Space>
Aggregates<Space> paa(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                      AggregationParameters const& parameters, Isolated isolated = Isolated::left_out,
                      int* rounds = nullptr);

/// Consecutive numbers from 0 that do not depend on the distribution: the number of ids below each id, on all
/// ranks. ids: distinct, not negative. If the ids are such numbers already, in the order of the ranks,
/// borrows their memory. Collective.
template <class Space>
Array<VertexId, Space> consecutive_numbers(Space const& space, comm::Distribution const& distribution,
                                           Span<VertexId const> ids);

}  // namespace Tessera::aggregation
