#pragma once
/// \file
/// Arrays with the values of the owned vertices in front and those of the ghosts behind.
#include "comm/halo_plan.hpp"

namespace Tessera::aggregation {

/// Uninitialised, for every column of the halo's numbering.
template <class T, class Space>
Array<T, Space> with_ghosts(Space const& space, comm::HaloPlan<Space> const& halo) {
  return Array<T, Space>(space,
                         static_cast<std::size_t>(halo.distribution().local_size()) + halo.ghost_count());
}

/// Fetches the back of values from the owners. Collective among neighbours.
template <class T, class Space>
void fetch_ghosts(Space const& space, comm::HaloPlan<Space> const& halo, Array<T, Space>& values) {
  auto const owned = static_cast<std::size_t>(halo.distribution().local_size());
  halo.template exchange<T>(space, values.span().part(0, owned),
                            values.span().part(owned, values.size() - owned));
}

}  // namespace Tessera::aggregation
