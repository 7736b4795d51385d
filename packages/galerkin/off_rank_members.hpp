#pragma once
/// \file
/// Members of aggregates on other ranks: the exchange of their rows with the rank of the aggregate's root.
#include <numeric>
#include <utility>
#include <vector>

#include "aggregation/aggregates.hpp"
#include "comm/communicator.hpp"
#include "comm/ghost_columns_body.hpp"
#include "comm/neighbour_exchange.hpp"
#include "core/parallel.hpp"
#include "core/span.hpp"

namespace Tessera::galerkin {

/// The members on other ranks of this rank's aggregates, by global number, and this rank's vertices in
/// aggregates of other ranks. Both lie on the interface between ranks.
template <class Space>
struct OffRankMembers {
  Array<Index, Space> aggregate;         ///< of each member, relative to this rank's first aggregate
  Array<double, Space> value;            ///< members x width
  Index lower = 0;                       ///< members on lower ranks; they come first
  std::vector<comm::Neighbour> origins;  ///< segments of the members, by ascending rank
  Array<Index, Space> exported;  ///< owned vertices in aggregates of other ranks, by owner, then ascending
  std::vector<comm::Neighbour> owners;  ///< segments of `exported`, by ascending owner
};

/// Unpacks rows of an array from one buffer.
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

struct OwnerBody {
  Span<Index const> vertex;
  Span<GlobalIndex const> aggregate;
  Span<GlobalIndex const> begin;  ///< the first aggregate of each rank, and the end of the last
  Span<Index> owner;
  TESSERA_HD void operator()(Index i) const {  // of ranks with equal begin, only the last owns aggregates
    owner[i] = static_cast<Index>(core::lower_bound(begin, aggregate[vertex[i]] + 1)) - 1;
  }
};

struct FirstOfOwnerBody {
  Span<Index const> owner;
  Span<GlobalIndex> first;
  TESSERA_HD void operator()(Index rank) const {
    first[rank] = static_cast<GlobalIndex>(core::lower_bound(owner, rank));
  }
};

struct CountFromBody {
  Span<GlobalIndex const> aggregate;
  GlobalIndex begin;
  Span<Index> number;
  TESSERA_HD void operator()(Index i) const { number[i] = static_cast<Index>(aggregate[i] - begin); }
};

/// Owned vertices in aggregates of other ranks, by owner, then ascending; and their number per owner.
template <class Space>
std::pair<Array<Index, Space>, std::vector<GlobalIndex>> exported_vertices(
    Space const& space, comm::Distribution const& coarse, Span<GlobalIndex const> aggregate) {
  auto const ranks = coarse.comm().size();
  Array<Index, Space> exported(space, aggregate.size());
  exported.shorten(core::select(space, aggregate.size(),
                                comm::GhostPredicate{{aggregate, {}}, coarse.begin(), coarse.end()},
                                exported.span()));
  std::vector<GlobalIndex> begin;
  for (int r = 0; r <= ranks; ++r) begin.push_back(coarse.begin(r));
  auto const first_aggregate = core::to_space(space, begin);
  Array<Index, Space> owner(space, exported.size());
  core::for_each(space, exported.size(),
                 OwnerBody{exported.view(), aggregate, first_aggregate.view(), owner.span()});
  core::sort_by_key(space, owner, exported, static_cast<Index>(ranks));
  Array<GlobalIndex, Space> first(space, ranks + std::size_t{1});
  core::for_each(space, first.size(), FirstOfOwnerBody{owner.view(), first.span()});
  auto counts = core::to_vector(space, first.view());
  for (int r = 0; r < ranks; ++r) counts[r] = counts[r + 1] - counts[r];
  counts.pop_back();
  return {std::move(exported), std::move(counts)};
}

/// Contiguous segments of equal size for each rank.
inline std::vector<comm::Neighbour> contiguous_segments(std::vector<GlobalIndex> const& counts) {
  std::vector<comm::Neighbour> segments;
  GlobalIndex end = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (counts[r] > 0) segments.push_back({static_cast<int>(r), end, end + counts[r]});
    end += counts[r];
  }
  return segments;
}

/// values: width numbers per vertex. Collective.
template <class Space>
OffRankMembers<Space> receive_members(Space const& space, aggregation::Aggregates<Space> const& aggregates,
                                      Span<double const> values, int width) {
  OffRankMembers<Space> members;
  auto const& coarse = aggregates.coarse;
  auto const& comm = coarse.comm();
  if (comm.size() == 1 || aggregates.on_one_rank) return members;

  auto const of_vertex = aggregates.aggregate.view();
  auto [exported, sent] = exported_vertices(space, coarse, of_vertex);
  auto const arriving = comm.all_to_all(sent);
  members.owners = contiguous_segments(sent);
  members.origins = contiguous_segments(arriving);
  for (int r = 0; r < comm.rank(); ++r) members.lower += static_cast<Index>(arriving[r]);
  auto const count =
      static_cast<std::size_t>(std::accumulate(arriving.begin(), arriving.end(), GlobalIndex{0}));

  auto const aggregate = comm::gathered(space, exported.view(), of_vertex);
  Array<double, Space> rows(space, exported.size() * width);
  core::gather_rows(space, exported.view(), values.data(), rows.data(), width);
  Array<GlobalIndex, Space> arrived(space, count);
  members.value = Array<double, Space>(space, count * width);
  members.aggregate = Array<Index, Space>(space, count);
  comm::NeighbourExchange<Space> exchange;
  exchange.start(space, comm, members.owners, rows.data(), members.origins, members.value.data(),
                 width * sizeof(double));
  exchange.finish(space);
  {
    static_assert(sizeof(GlobalIndex) <= sizeof(double));  // so the exchange needs no further allocation
    comm::NoErrorSync const agreed(comm);
    exchange.start(space, comm, members.owners, aggregate.data(), members.origins, arrived.data(),
                   sizeof(GlobalIndex));
    exchange.finish(space);
  }
  core::for_each(space, count, CountFromBody{arrived.view(), coarse.begin(), members.aggregate.span()});
  members.exported = std::move(exported);
  return members;
}

/// Returns the members' rows to their vertices. Collective.
template <class Space>
void return_members(Space const& space, aggregation::Aggregates<Space> const& aggregates,
                    OffRankMembers<Space> const& members, int width, Span<double> values) {
  auto const& comm = aggregates.coarse.comm();
  if (comm.size() == 1 || aggregates.on_one_rank) return;
  Array<double, Space> rows(space, members.exported.size() * width);
  comm::NeighbourExchange<Space> exchange;
  exchange.start(space, comm, members.origins, members.value.data(), members.owners, rows.data(),
                 width * sizeof(double));
  exchange.finish(space);
  core::for_each(space, members.exported.size(),
                 ScatterRowsBody{members.exported.view(), rows.view(), values, width});
}

}  // namespace Tessera::galerkin
