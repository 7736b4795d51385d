#pragma once
/// \file
/// Arrays with the values of the owned vertices in front and those of the ghosts behind.
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

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

/// What a frontier whose vertices are the halo's needs of other ranks: step s reads the ghosts of the array
/// number s.
template <class Space, class... T>
sparse::FrontierRanks ghosts_of_steps(Space const& space, comm::HaloPlan<Space> const& halo,
                                      Array<T, Space>&... arrays) {
  std::vector<std::function<void()>> const fetch{
      [space, halo, one = &arrays] { fetch_ghosts_agreed(space, halo, *one); }...};
  return {[comm = halo.distribution().comm()](bool yes) { return comm.any(yes); },
          [fetch](int step) { fetch[step](); }};
}

}  // namespace Tessera::aggregation
