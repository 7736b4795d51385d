#pragma once
/// \file
/// Construction of a redistribution, and redistributed matrices.
#include <algorithm>
#include <array>

#include "comm/ghost_rows_body.hpp"
#include "comm/redistribute.hpp"
#include "core/error.hpp"

namespace Tessera::comm {

template <class Space>
Redistribution<Space>::Redistribution(Space const& space, Distribution const& from, int group)
    : from_(from), group_(group), exchange_(std::make_shared<NeighbourExchange<Space>>()) {
  TESSERA_EXPECT(group >= 1);
  agree_on_errors(from.comm(), [&] {
    to_ = from.gathered(group);
    std::vector<GlobalIndex> rows;
    for (int r = 0; r < from.comm().size(); ++r) rows.push_back(from.begin(r + 1) - from.begin(r));
    auto const [down, up, received] = sides(rows);
    down_ = down;
    up_ = up;
    exchange_->reserve(space, from.comm(), down_, up_, sizeof(double));
  });
}

template <class Space>
typename Redistribution<Space>::Sides Redistribution<Space>::sides(
    std::vector<GlobalIndex> const& counts) const {
  Sides result;
  auto const mine = counts[from_.comm().rank()];
  if (mine > 0) result.down.push_back({root(), 0, mine});
  if (from_.comm().rank() != root()) return result;
  for (int r = root(); r < group_end(); ++r) {
    if (counts[r] > 0) result.up.push_back({r, result.received, result.received + counts[r]});
    result.received += counts[r];
  }
  return result;
}

/// Columns that the root will not own; ascending and distinct.
template <class Space>
std::vector<GlobalIndex> Redistribution<Space>::ghosts_of_group(std::vector<GlobalIndex> all) const {
  all.erase(std::remove_if(all.begin(), all.end(), [&](GlobalIndex c) { return to_.owns(c); }), all.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template <class Space>
template <class T>
DistCsr<T, Space> Redistribution<Space>::matrix(Space const& space, DistCsr<T, Space> const& A) const {
  auto const& comm = from_.comm();
  std::vector<GlobalIndex> entry_counts, ghost_counts;
  for (auto const& [entries, ghosts] :
       comm.all_gather(std::array<GlobalIndex, 2>{A.local.nonzeros(), A.halo.ghost_count()})) {
    entry_counts.push_back(entries);
    ghost_counts.push_back(ghosts);
  }
  auto const entries = sides(entry_counts), ghosts = sides(ghost_counts);
  DistCsr<T, Space> moved;
  moved.rows = to_;
  auto& local = moved.local;
  local.rows = to_.local_size();
  local.offsets = Array<Offset, Space>(space, local.rows + std::size_t{1});
  local.column = Array<Index, Space>(space, entries.received);
  local.value = Array<T, Space>(space, entries.received);

  Array<Index, Space> length(space, A.local.rows), arrived_length(space, local.rows);
  core::for_each(space, A.local.rows, RowLength{A.local.offsets.view(), length.span()});
  Array<GlobalIndex, Space> global(space, A.local.nonzeros()), arrived(space, entries.received);
  auto const old_ghosts = ghosts_in(space, A.halo);
  Array<GlobalIndex, Space> of_group(space, ghosts.received);
  core::for_each(space, global.size(),
                 GlobalColumns{A.local.column.view(), A.columns().local_size(), A.columns().begin(),
                               old_ghosts.view(), global.span()});
  exchange_->reserve(space, comm, ghosts.down, ghosts.up, sizeof(GlobalIndex));
  RowExchange<Space> row_exchange(exchange_);
  row_exchange.set_segments(entries.down, entries.up);
  row_exchange.exchange(space, comm, global.data(), arrived.data(), A.local.value.data(), local.value.data(),
                        [] {});
  {
    NoErrorSync const scope(comm);  // the exchange has room
    forward(space, length.view(), arrived_length.span());
    move(space, ghosts.down, old_ghosts.data(), ghosts.up, of_group.data(), sizeof(GlobalIndex));
  }
  moved.halo = to_.on_one_rank() ? HaloPlan<Space>(to_) : HaloPlan<Space>::after(space, to_, [&] {
    return ghosts_of_group(core::to_vector(space, of_group.view()));
  });
  local.columns = local.rows + moved.halo.ghost_count();
  core::prefix_sums(space, arrived_length.view(), local.offsets.span());
  auto const new_ghosts = ghosts_in(space, moved.halo);
  core::for_each(
      space, arrived.size(),
      LocateColumns{arrived.view(), to_.begin(), to_.local_size(), new_ghosts.view(), local.column.span()});
  return moved;
}

template <class Space>
template <class T>
void Redistribution<Space>::refresh(Space const& space, DistCsr<T, Space> const& A,
                                    DistCsr<T, Space>& moved) const {
  auto const entries = sides(from_.comm().all_gather(GlobalIndex{A.local.nonzeros()}));
  move(space, entries.down, A.local.value.data(), entries.up, moved.local.value.data(), sizeof(T));
}

}  // namespace Tessera::comm
