#pragma once
/// \file
/// Arrays with the values of the owned vertices in front and those of the ghosts behind.
#include <utility>

#include "comm/halo_plan.hpp"
#include "comm/without_agreement.hpp"
#include "sparse/engine/frontier.hpp"

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

/// The same behind an agreement, where nothing in between can fail.
template <class T, class Space>
void fetch_ghosts_agreed(Space const& space, comm::HaloPlan<Space> const& halo, Array<T, Space>& values) {
  comm::WithoutAgreement const scope(halo.distribution().comm());
  fetch_ghosts(space, halo, values);
}

/// For a frontier whose vertices are the halo's: fetch(step) calls fetch_ghosts_agreed.
template <class Space, class Fetch>
sparse::FrontierRanks frontier_ranks(comm::HaloPlan<Space> const& halo, Fetch fetch) {
  return {[&](bool yes) { return halo.distribution().comm().any(yes); }, std::move(fetch)};
}

}  // namespace Tessera::aggregation
