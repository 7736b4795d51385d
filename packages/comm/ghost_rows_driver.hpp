#pragma once
/// \file
/// See ghost_rows.hpp.
#include <algorithm>
#include <iterator>

#include "comm/ghost_rows_body.hpp"

namespace Tessera::comm {

namespace ghost_rows {

/// Where the ghosts' rows begin, and the stretches of entries that travel.
template <class T, class Space>
void lay_out(Space const& space, DistCsr<T, Space> const& B, HaloPlan<Space> const& wanted,
             ExtendedRows<T, Space>& extended) {
  auto const own = B.local.rows;
  auto const ghosts = wanted.ghost_count();
  auto const rows = wanted.send_rows();
  Array<Index, Space> length(space, own), ghost_length(space, ghosts), sent_length(space, rows.size());
  core::for_each(space, own, RowLength{B.local.offsets.view(), length.span()});
  wanted.exchange(space, length.view(), ghost_length.span());
  core::for_each(space, rows.size(), PickRows{rows, length.view(), sent_length.span()});

  extended.send_first = Array<Offset, Space>(space, rows.size() + 1);
  core::exclusive_scan(space, sent_length.view(), extended.send_first.span());
  extended.ghost_first = Array<Offset, Space>(space, ghosts + std::size_t{1});
  core::exclusive_scan(space, ghost_length.view(), extended.ghost_first.span());
  extended.send = of_entries(space, wanted.send_to(), extended.send_first.view());
  extended.receive = of_entries(space, wanted.receive_from(), extended.ghost_first.view());
}

/// B's own rows, renumbered, and the ghosts below; values are not set.
template <class T, class Space>
void place_rows(Space const& space, DistCsr<T, Space> const& B, ExtendedRows<T, Space>& extended) {
  auto const own = B.local.rows;
  auto const nonzeros = B.local.nonzeros();
  auto const ghosts = extended.ghost_first.size() - 1;
  auto& local = extended.local;
  local.rows = own + static_cast<Index>(ghosts);
  local.columns = extended.columns.distribution().local_size() + extended.columns.ghost_count();
  local.offsets = Array<Offset, Space>(space, local.rows + std::size_t{1});
  core::copy(space, B.local.offsets.view(), space, local.offsets.span());
  core::for_each(space, ghosts + 1,
                 ShiftOffsets{extended.ghost_first.view(), nonzeros, local.offsets.span(), own});
  local.column = Array<Index, Space>(space, nonzeros + extended.ghost_column.size());
  core::for_each(space, own,
                 Renumber{B.local.offsets.view(), B.local.column.view(), extended.column_of.view(),
                          local.column.span()});
  core::copy(space, extended.ghost_column.view(), space,
             local.column.span().part(nonzeros, extended.ghost_column.size()));
  local.value = Array<T, Space>(space, local.column.size());
}

/// The global columns of the ghost rows.
template <class T, class Space>
Array<GlobalIndex, Space> fetch_columns(Space const& space, DistCsr<T, Space> const& B,
                                        HaloPlan<Space> const& wanted, ExtendedRows<T, Space>& extended) {
  auto const rows = wanted.send_rows();
  auto const incoming = extended.receive.empty() ? Offset{0} : extended.receive.back().end;
  auto const outgoing = extended.send.empty() ? Offset{0} : extended.send.back().end;
  auto const ghosts = ghosts_in(space, B.halo);
  Array<GlobalIndex, Space> arrived(space, incoming), packed(space, outgoing);
  core::for_each(space, rows.size(),
                 PackColumns{rows, extended.send_first.view(), B.local.offsets.view(), B.local.column.view(),
                             B.columns().local_size(), B.columns().begin(), ghosts.view(), packed.span()});
  extended.traffic.start(space, wanted.distribution().comm(), extended.send, packed.data(), extended.receive,
                         arrived.data(), sizeof(GlobalIndex));
  extended.traffic.finish(space);
  return arrived;
}

/// Both lists of ghosts, ascending each; distinct.
inline std::vector<GlobalIndex> joined_ghosts(std::vector<GlobalIndex> const& some,
                                              std::vector<GlobalIndex> const& more) {
  std::vector<GlobalIndex> all;
  std::set_union(some.begin(), some.end(), more.begin(), more.end(), std::back_inserter(all));
  return all;
}

}  // namespace ghost_rows

template <class T, class Space>
ExtendedRows<T, Space> extend_rows(Space const& space, DistCsr<T, Space> const& B,
                                   HaloPlan<Space> const& wanted) {
  ExtendedRows<T, Space> extended;
  ghost_rows::lay_out(space, B, wanted, extended);
  auto const arrived = ghost_rows::fetch_columns(space, B, wanted, extended);

  auto const& columns = B.columns();
  extended.columns = HaloPlan<Space>(
      space, columns,
      ghost_rows::joined_ghosts(B.halo.ghosts(),
                                foreign_columns(space, columns.begin(), columns.end(), arrived.view())));
  auto const ghosts = ghosts_in(space, extended.columns);
  auto const locate = [&](Span<GlobalIndex const> global, Span<Index> column) {
    core::for_each(space, global.size(),
                   LocateColumns{global, columns.begin(), columns.local_size(), ghosts.view(), column});
  };
  auto const old_ghosts = ghosts_in(space, B.halo);
  auto const owned = static_cast<std::size_t>(columns.local_size());
  extended.column_of = Array<Index, Space>(space, owned + old_ghosts.size());
  core::for_each(space, owned, NumberBody{extended.column_of.span()});
  locate(old_ghosts.view(), extended.column_of.span().part(owned, old_ghosts.size()));
  extended.ghost_column = Array<Index, Space>(space, arrived.size());
  locate(arrived.view(), extended.ghost_column.span());
  refresh_extended_rows(space, B, wanted, extended);
  return extended;
}

template <class T, class Space>
void refresh_extended_rows(Space const& space, DistCsr<T, Space> const& B, HaloPlan<Space> const& wanted,
                           ExtendedRows<T, Space>& extended) {
  if (extended.local.offsets.empty()) ghost_rows::place_rows(space, B, extended);
  auto const rows = wanted.send_rows();
  auto const outgoing = extended.send.empty() ? Offset{0} : extended.send.back().end;
  auto const packed = extended.traffic.template buffer<T>(space, outgoing);
  core::for_each(
      space, rows.size(),
      PackValues<T>{rows, extended.send_first.view(), B.local.offsets.view(), B.local.value.view(), packed});
  extended.traffic.start(space, wanted.distribution().comm(), extended.send, packed.data(), extended.receive,
                         extended.local.value.data() + B.local.nonzeros(), sizeof(T));
  core::copy(space, B.local.value.view(), space, extended.local.value.span());
  extended.traffic.finish(space);
}

}  // namespace Tessera::comm
