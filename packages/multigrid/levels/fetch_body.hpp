#pragma once
/// \file
/// Levels from where they lie to the host. Not collective.
#include <utility>

#include "comm/fetch.hpp"
#include "multigrid/fetched_level.hpp"
#include "multigrid/levels/level.hpp"

namespace Tessera::multigrid {

/// P that is stored as aggregates and values.
template <class T, class Space>
comm::HostMatrix fetch_prolongator(Space const& space, AggregateTransfer<T, Space> const& transfer,
                                   comm::Distribution const& rows) {
  auto const& map = transfer.map();
  auto const aggregate = core::to_vector(space, map.aggregate.view());
  auto const value = core::to_vector(space, transfer.value());
  auto const aggregates = comm::global_columns(map.halo);
  auto const vectors = transfer.vectors();
  comm::HostMatrix P;
  P.rows = rows.global_size();
  P.columns = map.halo.distribution().global_size() * vectors;
  P.row = comm::owned_indices(rows);
  for (auto const a : aggregates)
    for (int c = 0; c < vectors; ++c) P.column.push_back(a * vectors + c);
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> entries;
  for (std::size_t i = 0; i < P.row.size(); ++i) {
    auto const a = aggregate[i / static_cast<std::size_t>(transfer.equations())];
    for (int c = 0; a >= 0 && c < vectors; ++c) {
      column.push_back(a * vectors + c);
      entries.push_back(value.empty() ? 1.0 : static_cast<double>(value[i * vectors + c]));
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  P.local = {static_cast<Index>(P.row.size()), static_cast<Index>(P.column.size()),
             core::to_space(Host{}, offsets), core::to_space(Host{}, column),
             core::to_space(Host{}, entries)};
  return P;
}

template <class T, class Space>
LevelMatrices fetch_matrices(Space const& space, Level<T, Space> const& level) {
  LevelMatrices found{comm::fetch(space, level.A, level.rows), {}, {}};
  if (!level.transfer) return found;
  if (auto const* stored = std::get_if<StoredTransfer<T, Space>>(&*level.transfer)) {
    found.P = comm::fetch(space, stored->P, level.rows);
    found.R = comm::fetch(space, stored->R, level.rows);
    return found;
  }
  found.P = fetch_prolongator(space, std::get<AggregateTransfer<T, Space>>(*level.transfer), level.rows);
  auto const& P = *found.P;
  found.R = {P.columns, P.rows, P.column, P.row, sparse::transpose(Host{}, P.local.view()).matrix};
  return found;
}

/// level: has a next one.
template <class T, class Space>
LevelAggregates fetch_aggregates(Space const& space, Level<T, Space> const& level) {
  TESSERA_EXPECT(level.coarsening.has_value());
  auto const& made = level.coarsening->tentative();
  auto const coarse = static_cast<std::size_t>(made.coarse_rows.local_size());
  return {core::to_vector(space, made.aggregate.view()), made.vectors,
          made.indicator ? std::vector<double>(coarse, 1.0)
                         : core::to_vector(space, made.coarse_nullspace.view())};
}

}  // namespace Tessera::multigrid
