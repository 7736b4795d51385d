#pragma once
/// \file
/// Consecutive numbers from ids.
#include "comm/distribution.hpp"
#include "core/array.hpp"

namespace Tessera::aggregation {

/// How many ids, over all ranks, are below each of these, which are distinct and not negative: numbers from 0
/// on that do not depend on who owns what. Where ids are such numbers already, in the order of the ranks,
/// this is their memory. Collective.
template <class Space>
Array<VertexId, Space> consecutive_numbers(Space const& space, comm::Distribution const& distribution,
                                           Span<VertexId const> ids);

}  // namespace Tessera::aggregation
