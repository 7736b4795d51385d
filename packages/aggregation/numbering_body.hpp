#pragma once
/// \file
/// Numbers of aggregates from their roots and members, and consecutive numbers from ids.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "aggregation/aggregates.hpp"
#include "aggregation/ghosts.hpp"
#include "aggregation/paa.hpp"
#include "comm/packed_buffers.hpp"
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
  VertexId* root_id;       ///< -1 if there is no aggregate; may be null
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
Aggregates<Space> numbered_aggregates(Space const& space, comm::HaloPlan<Space> const& halo,
                                      Span<Index const> joined, Span<VertexId const> ids,
                                      Array<GlobalIndex, Space>& number, VertexId* root_id = nullptr) {
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

struct IsNotItsNumber {
  VertexId const* ids;
  GlobalIndex first;
  TESSERA_HD Offset operator()(Index v) const { return ids[v] == first + v ? 0 : 1; }
};

struct TakeIdBody {
  VertexId const* ids;
  std::uint64_t* key;
  Index* vertex;
  TESSERA_HD void operator()(Index v) const {
    key[v] = static_cast<std::uint64_t>(ids[v]);
    vertex[v] = v;
  }
};

/// number: of the sorted vertices; null: 0, 1, 2, ...
struct NumberSortedBody {
  Index const* vertex;
  VertexId const* number;
  VertexId* number_of_vertex;
  TESSERA_HD void operator()(Index k) const {
    number_of_vertex[vertex[k]] = number == nullptr ? k : number[k];
  }
};

/// The numbers of ids that ascend on each rank. Each rank counts a range of ids, which all ranks send to it.
/// Collective.
inline std::vector<VertexId> numbers_of_sorted(comm::Communicator const& comm,
                                               std::vector<VertexId> const& ids) {
  VertexId const largest = comm.max(ids.empty() ? VertexId{0} : ids.back());
  VertexId const range = largest / comm.size() + 1;
  comm::PackedBuffers outgoing;
  for (auto from = ids.begin(); from != ids.end();) {
    auto const rank = static_cast<int>(*from / range);
    auto const to = std::lower_bound(from, ids.end(), (rank + 1) * range);
    comm::write(outgoing[rank], std::vector<VertexId>(from, to));
    from = to;
  }
  auto const arrived = comm.exchange(outgoing);
  std::vector<VertexId> all;
  for (auto const& [sender, buffer] : arrived) {
    auto const some = comm::numbers_of<VertexId>(buffer);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end());
  auto const counts = comm.all_gather(static_cast<GlobalIndex>(all.size()));
  GlobalIndex below = 0;
  for (int r = 0; r < comm.rank(); ++r) below += counts[r];

  comm::PackedBuffers answers;
  for (auto const& [sender, buffer] : arrived) {
    std::vector<VertexId> numbers;
    for (auto const id : comm::numbers_of<VertexId>(buffer))
      numbers.push_back(below + (std::lower_bound(all.begin(), all.end(), id) - all.begin()));
    comm::write(answers[sender], numbers);
  }
  std::vector<VertexId> result;  // ranks answer in the order of their ranges
  for (auto const& [sender, buffer] : comm.exchange(answers)) {
    auto const some = comm::numbers_of<VertexId>(buffer);
    result.insert(result.end(), some.begin(), some.end());
  }
  return result;
}

template <class Space>
Array<VertexId, Space> consecutive_numbers(Space const& space, comm::Distribution const& distribution,
                                           Span<VertexId const> ids) {
  auto const& comm = distribution.comm();
  auto const n = ids.size();
  if (!comm.any(core::sum(space, n, IsNotItsNumber{ids.data(), distribution.begin()}) > 0))
    return Array<VertexId, Space>::borrowed(space, ids);
  Array<std::uint64_t, Space> key(space, n);
  Array<Index, Space> vertex(space, n);
  core::for_each(space, n, TakeIdBody{ids.data(), key.data(), vertex.data()});
  core::sort_by_key(space, key, vertex);
  Array<VertexId, Space> number;
  if (comm.size() > 1) {
    auto const sorted = core::to_vector(space, key.view());
    number = core::to_space(space, numbers_of_sorted(comm, {sorted.begin(), sorted.end()}));
  }
  Array<VertexId, Space> result(space, n);
  core::for_each(space, n,
                 NumberSortedBody{vertex.data(), comm.size() > 1 ? number.data() : nullptr, result.data()});
  return result;
}

}  // namespace Tessera::aggregation
