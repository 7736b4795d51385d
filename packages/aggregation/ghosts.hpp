#pragma once
/// \file
/// Arrays of vertex values: first the owned vertices, then the ghosts.
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/halo_plan.hpp"
#include "sparse/engine/frontier.hpp"

namespace Tessera::aggregation {

/// An uninitialised array with an element for every column of the halo's numbering.
template <class T, class Space>
Array<T, Space> with_ghosts(Space const& space, comm::HaloPlan<Space> const& halo) {
  return Array<T, Space>(space,
                         static_cast<std::size_t>(halo.distribution().local_size()) + halo.ghost_count());
}

/// Fetches the ghost values from their owners. Collective among neighbours.
template <class T, class Space>
void fetch_ghosts(Space const& space, comm::HaloPlan<Space> const& halo, Array<T, Space>& values) {
  auto const owned = static_cast<std::size_t>(halo.distribution().local_size());
  halo.template exchange<T>(space, values.span().part(0, owned),
                            values.span().part(owned, values.size() - owned));
}

/// The same without error agreement, for ranks that have agreed and have done nothing since that can fail.
template <class T, class Space>
void fetch_ghosts_agreed(Space const& space, comm::HaloPlan<Space> const& halo, Array<T, Space>& values) {
  comm::NoErrorSync const scope(halo.distribution().comm());
  fetch_ghosts(space, halo, values);
}

/// The exchanges of a frontier over the halo's vertices: step s reads the ghosts of array number s.
template <class Space, class... T>
sparse::FrontierRanks ghosts_of_steps(Space const& space, comm::HaloPlan<Space> const& halo,
                                      Array<T, Space>&... arrays) {
  std::vector<std::function<void()>> const fetch{
      [space, halo, one = &arrays] { fetch_ghosts_agreed(space, halo, *one); }...};
  auto const& all = halo.distribution().comm();
  auto const pending = std::make_shared<comm::PendingAny>(all);
  return {[all](bool yes) { return all.any(yes); },
          [pending](bool yes, std::exception_ptr failure) { pending->start(yes, std::move(failure)); },
          [pending] { return pending->get(); }, [fetch](int step) { fetch[step](); }};
}

}  // namespace Tessera::aggregation
