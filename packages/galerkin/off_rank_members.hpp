#pragma once
/// \file
/// Aggregates across ranks: rows of their members go to the rank of the aggregate's root, and back.
#include <map>
#include <vector>

#include "aggregation/aggregates.hpp"
#include "comm/foreign_columns_body.hpp"
#include "comm/transport/packed_buffers.hpp"
#include "comm/transport/traffic.hpp"
#include "core/parallel.hpp"

namespace Tessera::galerkin {

/// The members that this rank's aggregates have on other ranks, in the order of their global numbers, and
/// this rank's vertices in aggregates of other ranks. All of it is as large as the surface between ranks.
template <class Space>
struct OffRankMembers {
  Array<Index, Space> aggregate;         ///< of each member, counted from this rank's first aggregate
  Array<double, Space> value;            ///< members x width
  Index lower = 0;                       ///< how many are on lower ranks; they come first
  std::vector<comm::Neighbour> origins;  ///< stretches of the members, by ascending rank
  Array<Index, Space> away;  ///< own vertices in aggregates of other ranks, by their owner, then ascending
  std::vector<comm::Neighbour> owners;  ///< stretches of `away`, by ascending owner
};

struct IsAway {
  Span<GlobalIndex const> aggregate;
  GlobalIndex begin, end;  ///< this rank's aggregates
  TESSERA_HD bool operator()(Index v) const {
    return aggregate[v] >= 0 && (aggregate[v] < begin || aggregate[v] >= end);
  }
};

/// Rows of an array, to one buffer and back.
struct GatherRowsBody {
  Span<Index const> row;
  Span<double const> source;
  Span<double> target;
  int width;
  TESSERA_HD void operator()(Index i) const {
    auto const from = static_cast<Offset>(row[i]) * width;
    for (int c = 0; c < width; ++c) target[static_cast<Offset>(i) * width + c] = source[from + c];
  }
};

struct ScatterRowsBody {
  Span<Index const> row;
  Span<double const> source;
  Span<double> target;
  int width;
  TESSERA_HD void operator()(Index i) const {
    auto const to = static_cast<Offset>(row[i]) * width;
    for (int c = 0; c < width; ++c) target[to + c] = source[static_cast<Offset>(i) * width + c];
  }
};

/// values: width numbers a vertex. Collective.
template <class Space>
OffRankMembers<Space> receive_members(Space const& space, aggregation::Aggregates<Space> const& aggregates,
                                      Span<double const> values, int width) {
  OffRankMembers<Space> members;
  auto const& coarse = aggregates.coarse;
  auto const& comm = coarse.comm();
  if (comm.size() == 1) return members;

  auto const of_vertex = aggregates.aggregate.view();
  Array<Index, Space> chosen(space, of_vertex.size());
  auto const count =
      core::select(space, of_vertex.size(), IsAway{of_vertex, coarse.begin(), coarse.end()}, chosen.span());
  auto const listed = chosen.view().part(0, count);
  auto const vertex = core::to_vector(space, listed);
  auto const aggregate = core::to_vector(space, comm::taken(space, listed, of_vertex).view());

  std::map<int, std::vector<Index>> by_owner;
  comm::PackedBuffers buffers;
  for (std::size_t i = 0; i < count; ++i) {
    int const owner = coarse.owner(aggregate[i]);
    by_owner[owner].push_back(vertex[i]);
    comm::write(buffers[owner], &aggregate[i], 1);
  }
  std::vector<Index> away, arrived;
  std::vector<double> arrived_values;
  auto const extended = [](auto& list, auto const& more) {
    auto const begin = static_cast<Offset>(list.size());
    list.insert(list.end(), more.begin(), more.end());
    return std::pair(begin, static_cast<Offset>(list.size()));
  };
  for (auto const& [rank, list] : by_owner) {
    auto const [begin, end] = extended(away, list);
    members.owners.push_back({rank, begin, end});
  }
  // A buffer has the aggregates, then the rows.
  members.away = core::to_space(space, away);
  Array<double, Space> rows(space, away.size() * width);
  core::for_each(space, away.size(), GatherRowsBody{members.away.view(), values, rows.span(), width});
  auto const sent = core::to_vector(space, rows.view());
  for (auto const& [rank, begin, end] : members.owners)
    comm::write(buffers[rank], sent.data() + begin * width, (end - begin) * width);
  for (auto const& [rank, buffer] : comm.exchange(buffers)) {
    auto const vertices = buffer.size() / (sizeof(GlobalIndex) + width * sizeof(double));
    comm::BufferReader reader(buffer);
    std::vector<GlobalIndex> global;
    reader.read(global, vertices);
    reader.read(arrived_values, vertices * width);
    for (auto& a : global) a -= coarse.begin();
    auto const [begin, end] = extended(arrived, global);
    members.origins.push_back({rank, begin, end});
    if (rank < comm.rank()) members.lower = static_cast<Index>(end);
  }
  members.aggregate = core::to_space(space, arrived);
  members.value = core::to_space(space, arrived_values);
  return members;
}

/// The members' rows go back to their vertices. Collective.
template <class Space>
void send_back(Space const& space, comm::Communicator const& comm, OffRankMembers<Space> const& members,
               int width, Span<double> values) {
  if (comm.size() == 1) return;
  Array<double, Space> rows(space, members.away.size() * width);
  comm::Traffic<Space> traffic;
  traffic.start(space, comm, members.origins, members.value.data(), members.owners, rows.data(),
                width * sizeof(double));
  traffic.finish(space);
  core::for_each(space, members.away.size(),
                 ScatterRowsBody{members.away.view(), rows.view(), values, width});
}

}  // namespace Tessera::galerkin
