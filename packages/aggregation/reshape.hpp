#pragma once
/// \file
/// Reshaping of aggregates.
#include "aggregation/aggregates.hpp"

namespace Tessera::aggregation {

/// Brannick, Chen, Hu, Zikatanov 2013, Algorithm 3, for many pairs of adjacent aggregates at once. Each step
/// matches aggregates, the largest weight first (ties by a hash of their ids). A pair is tried again only
/// after one of its aggregates has changed. Of all bipartitions of the pair's vertices into connected sides
/// whose sizes differ by at most one, the one with the largest trace |T|_A^2 gives the two aggregates
/// (bipartition.hpp). Ties go to the fewest moved vertices, then to the first by vertex ids. Each side goes
/// to the aggregate that it shares more vertices with; on a tie the side with the smallest vertex id goes to
/// the aggregate with the smaller id.
///
/// Edges of negative weight (positive couplings) connect vertices and add no weight. Pairs of more than 16
/// vertices are not changed. Aggregates keep their numbers, ids and owners, but a root may move to another
/// aggregate. The result depends on the graph, the ids and the aggregates alone, not on ranks, threads or
/// back end. Collective.
template <class Space>
void reshape(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids, int steps,
             Aggregates<Space>& aggregates);

}  // namespace Tessera::aggregation
