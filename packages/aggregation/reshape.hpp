#pragma once
/// \file
/// Better shapes for aggregates.
#include "aggregation/aggregates.hpp"

namespace Tessera::aggregation {

/// Brannick, Chen, Hu, Zikatanov 2013, Algorithm 3, for many pairs of adjacent aggregates side by side. In
/// each step aggregates are matched, those first that the largest weight is between (ties by a hash of their
/// ids); a pair that was looked at before comes again only after one of the two has changed. Of all
/// bipartitions of a pair's vertices with connected sides whose sizes differ by at most one, the one with the
/// largest trace |T|_A^2 becomes the two aggregates (bipartition.hpp). Of equal ones it is the one that moves
/// the fewest vertices, then the one that comes first by their ids; each side goes to the aggregate that it
/// has more vertices of, and where that says nothing the side with the smallest vertex id to that with the
/// smaller id.
///
/// Edges of negative weight (positive couplings) connect vertices and attract none. Pairs of more than 16
/// vertices stay as they are. Aggregates keep their numbers, ids and owners, but a root may end up in another
/// aggregate. The result depends on the graph, the ids and the aggregates alone, not on ranks, threads or
/// back end. Collective.
template <class Space>
void reshape(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids, int steps,
             Aggregates<Space>& aggregates);

}  // namespace Tessera::aggregation
