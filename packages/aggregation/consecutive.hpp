#pragma once
/// \file
/// Consecutive numbers from ids.
#include "comm/distribution.hpp"
#include "core/array.hpp"

namespace Tessera::aggregation {

/// The number of ids below each id, over all ranks: consecutive numbers from 0 that do not depend on the
/// distribution. ids: distinct, not negative. Returns the memory of ids where they are such numbers already,
/// in the order of the ranks. Collective.
template <class Space>
Array<VertexId, Space> consecutive_numbers(Space const& space, comm::Distribution const& distribution,
                                           Span<VertexId const> ids);

}  // namespace Tessera::aggregation
