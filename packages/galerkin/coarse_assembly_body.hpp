#pragma once
/// \file
/// The sum of partial coarse matrices; see coarse_assembly.hpp.
#include "comm/ghost_rows_body.hpp"
#include "galerkin/coarse_assembly.hpp"
#include "galerkin/shared_rows_body.hpp"
#include "sparse/engine/for_each_entry.hpp"

namespace Tessera::galerkin {

/// Marks owned rows that reach columns of other ranks. Ghosts have the largest local numbers.
struct MarkReachingBody {
  sparse::CsrView<double> partial;
  Index owned;
  Span<unsigned char> marked;
  TESSERA_HD void operator()(Index row) const {
    auto const end = partial.offsets[row + 1];
    marked[row] = end > partial.offsets[row] && partial.column[end - 1] >= owned ? 1 : 0;
  }
};

/// Copies a row of partial to the front of the row of the sum. Merged rows are overwritten later.
template <class T>
struct CopyEntriesBody {
  Span<Offset const> from, to;  ///< offsets
  Span<T const> entry;
  Span<T> target;
  TESSERA_HD Offset begin(Index row) const { return from[row]; }
  TESSERA_HD Offset end(Index row) const { return from[row + 1]; }
  TESSERA_HD void operator()(Index row, Offset k) const { target[to[row] + (k - from[row])] = entry[k]; }
};

struct WriteMergedColumnsBody {
  Span<Index const> row;
  Span<Offset const> merged_offsets;
  Span<Index const> merged_column;
  Span<Offset const> offsets;
  Span<Index> column;
  Span<Offset> target;
  TESSERA_HD void operator()(Index i) const {
    Offset to = offsets[row[i]];
    for (Offset k = merged_offsets[i]; k < merged_offsets[i + 1]; ++k, ++to) {
      column[to] = merged_column[k];
      target[k] = to;
    }
  }
};

struct AddSourcesBody {
  Span<Offset const> target, source_offsets, source;
  Span<double const> partial, arrived;
  Span<double> value;
  TESSERA_HD double term(Offset s) const { return s >= 0 ? arrived[s] : partial[-1 - s]; }
  TESSERA_HD void operator()(Index i) const {
    double sum = term(source[source_offsets[i]]);
    for (Offset k = source_offsets[i] + 1; k < source_offsets[i + 1]; ++k) sum += term(source[k]);
    value[target[i]] = sum;
  }
};

/// The owned rows that reach ghosts or that receive entries from another rank.
template <class Space>
Array<Index, Space> shared_rows(Space const& space, sparse::CsrView<double> partial, Index owned,
                                Span<Index const> arrived_row) {
  Array<unsigned char, Space> marked(space, owned);
  core::for_each(space, owned, MarkReachingBody{partial, owned, marked.span()});
  core::for_each(space, arrived_row.size(), MarkBody{arrived_row, marked.span()});
  Array<Index, Space> shared(space, owned);
  shared.shorten(core::select(space, owned, core::Load<unsigned char, bool>{marked.data()}, shared.span()));
  return shared;
}

template <class Space>
CoarseAssembly<Space>::CoarseAssembly(Space const& space, comm::HaloPlan<Space> const& rows,
                                      comm::HaloPlan<Space> const& columns, sparse::CsrView<double> partial,
                                      Scales<Space> const& scales, comm::DistCsr<double, Space>& coarse) {
  Index const owned = rows.distribution().local_size();
  Array<Index, Space> length(space, owned);
  coarse.rows = rows.distribution();
  auto ghosts = comm::ghosts_in(space, columns);
  auto arrived = send_rows(space, rows, ghosts.view(), partial, scales);
  MergedRows<Space> merge;
  coarse.halo = comm::HaloPlan<Space>::after(space, coarse.rows, [&] {
    auto shared = shared_rows(space, partial, owned, rows.send_rows());
    core::for_each(space, owned, comm::RowLength{partial.offsets, length.span()});
    merge = merge_shares(space, rows, ghosts.view(), partial, std::move(shared), length.view(), arrived);
    ghosts = {};
    arrived = {};
    return comm::ghost_columns(space, coarse.rows, merge.column.view());
  });
  make_sum(space, partial, merge, std::move(length), coarse);
  source_offsets_ = std::move(merge.source_offsets);
  source_ = std::move(merge.source);
  add_up(space, partial, coarse, false);
}

/// Exchanges lengths, then global columns, then values.
template <class Space>
typename CoarseAssembly<Space>::Arrived CoarseAssembly<Space>::send_rows(Space const& space,
                                                                         comm::HaloPlan<Space> const& rows,
                                                                         Span<GlobalIndex const> ghosts,
                                                                         sparse::CsrView<double> partial,
                                                                         Scales<Space> const& scales) {
  auto const& distribution = rows.distribution();
  auto const& ranks = distribution.comm();
  Index const owned = distribution.local_size();
  auto const& senders = rows.send_to();  // the halo sends to these ranks; rows travel back
  auto const count = rows.send_rows().size();
  auto const foreign = partial.offsets.part(owned, rows.ghost_count() + std::size_t{1});
  Array<Index, Space> sent_length(space, rows.ghost_count()), arrived_length(space, count);
  core::for_each(space, sent_length.size(), comm::RowLength{foreign, sent_length.span()});
  comm::RowExchange<Space> lengths;
  lengths.set_segments(rows.receive_from(), senders);
  lengths.start(space, ranks, sent_length.data(), arrived_length.data());
  lengths.finish(space);
  {
    comm::NoErrorSync const agreed(ranks);  // the plan has room for the exchange
    add_up_scale(space, rows, scales);
  }
  Arrived arrived{Array<Offset, Space>(space, count + 1), {}};
  core::prefix_sums(space, arrived_length.view(), arrived.offsets.span());
  entries_.set_segments(space, {rows.receive_from(), foreign}, {senders, arrived.offsets.view()});
  auto const from = entries_.first_sent();
  Array<GlobalIndex, Space> sent_column(space, entries_.sent());
  arrived.column = Array<GlobalIndex, Space>(space, entries_.received());
  arrived_ = Array<double, Space>(space, entries_.received());
  core::for_each(space, sent_column.size(),
                 comm::GlobalColumns{partial.column.part(from, sent_column.size()), owned,
                                     distribution.begin(), ghosts, sent_column.span()});
  entries_.exchange(space, ranks, sent_column.data(), arrived.column.data(), partial.value.data() + from,
                    arrived_.data(), [] {});
  return arrived;
}

/// In rank order: rows from lower ranks, the own rows, rows from higher ranks.
template <class Space>
MergedRows<Space> CoarseAssembly<Space>::merge_shares(Space const& space, comm::HaloPlan<Space> const& rows,
                                                      Span<GlobalIndex const> ghosts,
                                                      sparse::CsrView<double> partial,
                                                      Array<Index, Space> shared, Span<Index const> length,
                                                      Arrived const& arrived) const {
  auto const& distribution = rows.distribution();
  auto const& senders = rows.send_to();
  auto const arrived_row = rows.send_rows();
  Index const owned = distribution.local_size();
  auto const shared_length = comm::gathered(space, shared.view(), length);
  Array<Offset, Space> start(space, shared.size() + 1);
  auto const own = core::exclusive_scan(space, shared_length.view(), start.span());
  auto const all = static_cast<std::size_t>(own) + arrived.column.size();
  EntryKey const key(owned, distribution.global_size());
  Array<std::uint64_t, Space> keys(space, all);
  Array<Offset, Space> source(space, all);
  auto const from = [&](Offset begin) {
    auto const size = all - static_cast<std::size_t>(begin);
    return ShareViews{keys.span().part(begin, size), source.span().part(begin, size)};
  };
  std::size_t lower = 0;  // rows from lower ranks, and their entries
  Offset sent_by_lower = 0;
  for (std::size_t k = 0; k < senders.size() && senders[k].rank < distribution.comm().rank(); ++k) {
    lower = static_cast<std::size_t>(senders[k].end);
    sent_by_lower = entries_.received_from()[k].end;
  }
  auto const higher = arrived_row.size() - lower;
  core::for_each(
      space, lower,
      ListArrivedBody{arrived_row, arrived.offsets.view(), arrived.column.view(), 0, 0, key, from(0)});
  core::for_each(space, shared.size(),
                 ListOwnBody{partial, shared.view(), start.view(), owned, distribution.begin(), ghosts, key,
                             from(sent_by_lower)});
  core::for_each(
      space, higher,
      ListArrivedBody{arrived_row.part(lower, higher), arrived.offsets.view().part(lower, higher + 1),
                      arrived.column.view(), sent_by_lower, sent_by_lower + own, key, from(0)});
  return merge_rows(space, std::move(shared), key, std::move(keys), std::move(source));
}

/// The pattern of the sum, and the positions of merged entries in it. length: of partial's owned rows.
template <class Space>
void CoarseAssembly<Space>::make_sum(Space const& space, sparse::CsrView<double> partial,
                                     MergedRows<Space> const& merge, Array<Index, Space> length,
                                     comm::DistCsr<double, Space>& coarse) {
  Index const owned = coarse.rows.local_size();
  auto& sum = coarse.local;
  sum.rows = owned;
  sum.columns = owned + coarse.halo.ghost_count();
  core::for_each(space, merge.row.size(),
                 MergedLengthBody{merge.offsets.view(), merge.row.view(), length.span()});
  sum.offsets = Array<Offset, Space>(space, static_cast<std::size_t>(owned) + 1);
  auto const total = core::exclusive_scan(space, length.span(), sum.offsets.span());
  sum.column = Array<Index, Space>(space, total);
  sum.value = Array<double, Space>(space, total);
  sparse::for_each_entry(
      space, owned, total,
      CopyEntriesBody<Index>{partial.offsets, sum.offsets.view(), partial.column, sum.column.span()});
  auto const ghosts = comm::ghosts_in(space, coarse.halo);
  Array<Index, Space> local(space, merge.column.size());
  core::for_each(
      space, local.size(),
      comm::LocateColumns{merge.column.view(), coarse.rows.begin(), owned, ghosts.view(), local.span()});
  target_ = Array<Offset, Space>(space, local.size());
  core::for_each(space, merge.row.size(),
                 WriteMergedColumnsBody{merge.row.view(), merge.offsets.view(), local.view(),
                                        sum.offsets.view(), sum.column.span(), target_.span()});
}

template <class Space>
void CoarseAssembly<Space>::add_up(Space const& space, sparse::CsrView<double> partial,
                                   comm::DistCsr<double, Space>& coarse, bool arriving) {
  auto const value = coarse.local.value.span();
  sparse::for_each_entry(
      space, coarse.local.rows, value.size(),
      CopyEntriesBody<double>{partial.offsets, coarse.local.offsets.view(), partial.value, value});
  if (arriving) entries_.finish(space);
  core::for_each(space, target_.size(),
                 AddSourcesBody{target_.view(), source_offsets_.view(), source_.view(), partial.value,
                                arrived_.view(), value});
}

template <class Space>
void CoarseAssembly<Space>::add(Space const& space, sparse::CsrView<double> partial,
                                comm::DistCsr<double, Space>& coarse) {
  entries_.start(space, coarse.rows.comm(), partial.value.data() + entries_.first_sent(), arrived_.data());
  add_up(space, partial, coarse, true);
}

}  // namespace Tessera::galerkin
