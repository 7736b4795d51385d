#pragma once
/// \file
/// Exchange of rows, and assembly of ghost rows.
#include <algorithm>
#include <iterator>
#include <optional>

#include "comm/ghost_columns_body.hpp"
#include "comm/ghost_rows.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

/// Entries at the borders of sent segments, then of received segments.
struct SegmentBordersBody {
  Span<Index const> row;
  Index ones;
  Span<Offset const> one, other;
  Span<Offset> border;
  TESSERA_HD void operator()(Index i) const { border[i] = i < ones ? one[row[i]] : other[row[i]]; }
};

template <class Space>
void RowExchange<Space>::set_segments(Space const& space, RowSegments const& sent,
                                      RowSegments const& received) {
  std::vector<Index> row;
  auto const list = [&](RowSegments const& some) {
    if (!some.rows.empty()) row.push_back(0);
    for (auto const& segment : some.rows) row.push_back(static_cast<Index>(segment.end));
  };
  list(sent);
  auto const ones = static_cast<Index>(row.size());
  list(received);
  auto const on_space = core::to_space(space, row);
  Array<Offset, Space> found(space, row.size());
  core::for_each(space, row.size(),
                 SegmentBordersBody{on_space.view(), ones, sent.first, received.first, found.span()});
  auto const border = core::to_vector(space, found.view());
  auto const entries = [](RowSegments const& some, Offset const* at) {
    std::vector<Neighbour> segments;
    for (std::size_t k = 0; k < some.rows.size(); ++k)
      segments.push_back({some.rows[k].rank, at[k] - at[0], at[k + 1] - at[0]});
    return segments;
  };
  first_sent_ = sent.rows.empty() ? 0 : border[0];
  set_segments(entries(sent, border.data()), entries(received, border.data() + ones));
}

struct RowLength {
  Span<Offset const> offsets;
  Span<Index> length;
  TESSERA_HD void operator()(Index i) const { length[i] = static_cast<Index>(offsets[i + 1] - offsets[i]); }
};

/// offsets[first + i] = base + relative[i]
struct ShiftOffsets {
  Span<Offset const> relative;
  Offset base;
  Span<Offset> offsets;
  Index first;
  TESSERA_HD void operator()(Index i) const { offsets[first + i] = base + relative[i]; }
};

/// The global index of each local column.
struct GlobalColumns {
  Span<Index const> column;
  Index owned;
  GlobalIndex begin;
  Span<GlobalIndex const> ghosts;
  Span<GlobalIndex> global;
  TESSERA_HD void operator()(Index k) const {
    Index const c = column[k];
    global[k] = c < owned ? begin + c : ghosts[c - owned];
  }
};

/// Copies the global columns of row rows[i] of B to packed[first[i]] and on.
struct PackColumns {
  Span<Index const> rows;
  Span<Offset const> first, offsets;
  Span<Index const> column;
  Index owned;
  GlobalIndex begin;
  Span<GlobalIndex const> ghosts;
  Span<GlobalIndex> packed;
  TESSERA_HD void operator()(Index i) const {
    Offset to = first[i];
    for (Offset k = offsets[rows[i]]; k < offsets[rows[i] + 1]; ++k) {
      Index const c = column[k];
      packed[to++] = c < owned ? begin + c : ghosts[c - owned];
    }
  }
};

/// Copies the values of row rows[i] to packed[first[i]] and on.
template <class T>
struct PackValues {
  Span<Index const> rows;
  Span<Offset const> first, offsets;
  Span<T const> value;
  Span<T> packed;
  TESSERA_HD void operator()(Index i) const {
    Offset to = first[i];
    for (Offset k = offsets[rows[i]]; k < offsets[rows[i] + 1]; ++k) packed[to++] = value[k];
  }
};

struct Renumber {
  Span<Offset const> offsets;
  Span<Index const> column, column_of;
  Span<Index> renumbered;
  TESSERA_HD void operator()(Index row) const {
    for (Offset k = offsets[row]; k < offsets[row + 1]; ++k) renumbered[k] = column_of[column[k]];
  }
};

/// The ghosts of a halo plan in the memory of a space.
template <class Space>
Array<GlobalIndex, Space> ghosts_in(Space const& space, HaloPlan<Space> const& halo) {
  return core::to_space(space, halo.ghosts());
}

namespace ghost_rows {

/// Lengths of owned rows, of ghost rows (set by the exchange), and of sent rows.
template <class Space>
struct Lengths {
  Array<Index, Space> own, ghost, sent;

  template <class T>
  Lengths(Space const& space, DistCsr<T, Space> const& B, HaloPlan<Space> const& halo)
      : own(space, B.local.rows), ghost(space, halo.ghost_count()), sent(space, halo.send_rows().size()) {
    core::for_each(space, own.size(), RowLength{B.local.offsets.view(), own.span()});
    core::gather(space, halo.send_rows(), own.view().data(), sent.data());
  }
};

/// Sets the first entries of sent and ghost rows, and the segments of entries of the exchange.
template <class T, class Space>
void set_segments(Space const& space, Lengths<Space> const& length, HaloPlan<Space> const& halo,
                  ExtendedRows<T, Space>& extended) {
  extended.send_first = Array<Offset, Space>(space, length.sent.size() + 1);
  core::prefix_sums(space, length.sent.view(), extended.send_first.span());
  extended.ghost_first = Array<Offset, Space>(space, length.ghost.size() + 1);
  core::prefix_sums(space, length.ghost.view(), extended.ghost_first.span());
  extended.entries.set_segments(space, {halo.send_to(), extended.send_first.view()},
                                {halo.receive_from(), extended.ghost_first.view()});
}

/// Values of the sent rows. Allocates the values of all rows in `local`.
template <class T, class Space>
Span<T> packed_values(Space const& space, DistCsr<T, Space> const& B, HaloPlan<Space> const& halo,
                      ExtendedRows<T, Space>& extended) {
  auto& all = extended.local.value;
  if (all.empty()) all = Array<T, Space>(space, B.local.nonzeros() + extended.entries.received());
  auto const rows = halo.send_rows();
  auto const packed = extended.entries.template packed<T>(space);
  core::for_each(
      space, rows.size(),
      PackValues<T>{rows, extended.send_first.view(), B.local.offsets.view(), B.local.value.view(), packed});
  return packed;
}

/// Assembles `local` except for its values: B's renumbered rows, then the ghost rows.
template <class T, class Space>
void assemble_rows(Space const& space, DistCsr<T, Space> const& B, ExtendedRows<T, Space>& extended) {
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
}

/// Global columns of the sent entries, and room for the columns of the ghost rows.
template <class Space>
struct Columns {
  Array<GlobalIndex, Space> sent, arrived;

  template <class T>
  Columns(Space const& space, DistCsr<T, Space> const& B, HaloPlan<Space> const& halo,
          ExtendedRows<T, Space> const& extended)
      : sent(space, extended.entries.sent()), arrived(space, extended.entries.received()) {
    auto const rows = halo.send_rows();
    auto const ghosts = ghosts_in(space, B.halo);
    core::for_each(
        space, rows.size(),
        PackColumns{rows, extended.send_first.view(), B.local.offsets.view(), B.local.column.view(),
                    B.columns().local_size(), B.columns().begin(), ghosts.view(), sent.span()});
  }
};

/// Local indices of B's columns and of the received columns.
template <class T, class Space>
void number_columns(Space const& space, DistCsr<T, Space> const& B, Span<GlobalIndex const> arrived,
                    ExtendedRows<T, Space>& extended) {
  auto const& columns = B.columns();
  auto const all = ghosts_in(space, extended.columns);
  auto const locate = [&](Span<GlobalIndex const> global, Span<Index> column) {
    core::for_each(space, global.size(),
                   LocateColumns{global, columns.begin(), columns.local_size(), all.view(), column});
  };
  auto const old_ghosts = ghosts_in(space, B.halo);
  auto const owned = static_cast<std::size_t>(columns.local_size());
  extended.column_of = Array<Index, Space>(space, owned + old_ghosts.size());
  core::fill_sequence(space, extended.column_of.span().part(0, owned));
  locate(old_ghosts.view(), extended.column_of.span().part(owned, old_ghosts.size()));
  extended.ghost_column = Array<Index, Space>(space, arrived.size());
  locate(arrived, extended.ghost_column.span());
}

/// The union of two ascending lists of ghosts.
inline std::vector<GlobalIndex> joined_ghosts(std::vector<GlobalIndex> const& some,
                                              std::vector<GlobalIndex> const& more) {
  std::vector<GlobalIndex> all;
  all.reserve(some.size() + more.size());
  std::set_union(some.begin(), some.end(), more.begin(), more.end(), std::back_inserter(all));
  return all;
}

}  // namespace ghost_rows

// Ranks agree on errors before each exchange (communicator.hpp), because fetched rows may exhaust memory.
template <class T, class Space>
ExtendedRows<T, Space> extend_rows(Space const& space, DistCsr<T, Space> const& B,
                                   HaloPlan<Space> const& halo) {
  auto const& comm = halo.distribution().comm();
  ExtendedRows<T, Space> extended;
  std::optional<ghost_rows::Lengths<Space>> length;
  agree_on_errors(comm, [&] { length.emplace(space, B, halo); });
  std::optional<ghost_rows::Columns<Space>> columns;
  Span<T> packed;
  halo.exchange(space, length->own.view(), length->ghost.span());
  agree_on_errors(comm, [&] {
    ghost_rows::set_segments(space, *length, halo, extended);
    columns.emplace(space, B, halo, extended);
    packed = ghost_rows::packed_values(space, B, halo, extended);
  });
  length.reset();
  auto const all = extended.local.value.span();
  extended.entries.exchange(space, comm, columns->sent.data(), columns->arrived.data(), packed.data(),
                            all.data() + B.local.nonzeros(),
                            [&] { core::copy(space, B.local.value.view(), space, all); });
  agree_on_errors(comm, [&] {
    columns->sent = {};
    auto const arrived = ghost_columns(space, B.columns(), columns->arrived.view());
    extended.columns = HaloPlan<Space>(B.columns(), ghost_rows::joined_ghosts(B.halo.ghosts(), arrived));
    ghost_rows::number_columns(space, B, columns->arrived.view(), extended);
    columns.reset();
    ghost_rows::assemble_rows(space, B, extended);
  });
  return extended;
}

template <class T, class Space>
void refresh_extended_rows(Space const& space, DistCsr<T, Space> const& B, HaloPlan<Space> const& halo,
                           ExtendedRows<T, Space>& extended) {
  auto const& comm = halo.distribution().comm();
  Span<T> packed;
  agree_on_errors(comm, [&] {
    if (extended.local.offsets.empty()) ghost_rows::assemble_rows(space, B, extended);
    packed = ghost_rows::packed_values(space, B, halo, extended);
  });
  auto const all = extended.local.value.span();
  extended.entries.start(space, comm, packed.data(), all.data() + B.local.nonzeros());
  core::copy(space, B.local.value.view(), space, all);
  extended.entries.finish(space);
}

}  // namespace Tessera::comm
