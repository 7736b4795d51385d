#pragma once
/// \file
/// Numbering of aggregates from their roots and members.
#include "aggregation/aggregates.hpp"
#include "aggregation/ghosts.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

struct IsRoot {
  Index const* joined;
  TESSERA_HD bool operator()(Index v) const { return joined[v] == v; }
};

/// Ids and numbers of the roots.
struct NumberRootBody {
  Index const* roots;
  VertexId const* ids;
  GlobalIndex first;
  GlobalIndex* aggregate;
  VertexId* aggregate_id;
  TESSERA_HD void operator()(Index k) const {
    aggregate[roots[k]] = first + k;
    aggregate_id[k] = ids[roots[k]];
  }
};

/// Members take the number of their root. Numbers of roots do not change.
struct NumberMemberBody {
  Index const* joined;
  VertexId const* ids;
  GlobalIndex* aggregate;  ///< ghosts included, set for roots
  VertexId* root_id;       ///< -1 where there is no aggregate; null: not wanted
  TESSERA_HD void operator()(Index v) const {
    Index const root = joined[v];
    if (root != v) aggregate[v] = root >= 0 ? aggregate[root] : -1;
    if (root_id != nullptr) root_id[v] = root >= 0 ? ids[root] : -1;
  }
};

/// Aggregates in the order of their roots, without `aggregate`. joined: the column of each vertex's root;
/// negative: none. ids: with ghosts if root_id is not null. number: set to the aggregate of each vertex;
/// ghost values are set for roots only. Collective.
template <class Space>
Aggregates<Space> numbered(Space const& space, comm::HaloPlan<Space> const& halo, Span<Index const> joined,
                           Span<VertexId const> ids, Array<GlobalIndex, Space>& number,
                           VertexId* root_id = nullptr) {
  auto const n = joined.size();
  Array<Index, Space> roots(space, n);
  auto const count = core::select(space, n, IsRoot{joined.data()}, roots.span());
  Aggregates<Space> result{{}, Array<GlobalIndex, Space>(space, n), Array<VertexId, Space>(space, count)};
  result.coarse = comm::Distribution(halo.distribution().comm(), static_cast<Index>(count));
  core::fill(space, number.span(), -1);
  core::for_each(
      space, count,
      NumberRootBody{roots.data(), ids.data(), result.coarse.begin(), number.data(), result.ids.data()});
  fetch_ghosts_agreed(space, halo, number);
  core::for_each(space, n, NumberMemberBody{joined.data(), ids.data(), number.data(), root_id});
  return result;
}

}  // namespace Tessera::aggregation
