#pragma once
/// \file
/// The members of CoarseAssembly.
#include "comm/ghost_rows_body.hpp"
#include "galerkin/coarse_assembly_body.hpp"

namespace Tessera::galerkin {

template <class Space>
CoarseAssembly<Space>::CoarseAssembly(Space const& space, comm::HaloPlan<Space> const& rows,
                                      comm::HaloPlan<Space> const& columns, sparse::CsrView<double> partial,
                                      comm::DistCsr<double, Space>& coarse)
    : traffic_(std::make_shared<comm::Traffic<Space>>()) {
  auto const& distribution = rows.distribution();
  Index const owned = distribution.local_size();
  auto const bounds =
      core::to_vector(space, partial.offsets.part(owned, rows.ghost_count() + std::size_t{1}));
  first_foreign_ = bounds.front();
  for (auto const& [rank, begin, end] : rows.receive_from()) {
    send_.push_back({rank, bounds[begin] - first_foreign_, bounds[end] - first_foreign_});
  }
  auto const arrivals = opened(distribution.comm().exchange(rows_for_others(space, partial, rows, columns)),
                               distribution, receive_);
  arrived_ = Array<double, Space>(space, arrivals.column.size());

  // The owned rows that reach ghosts, or that another rank has a share in.
  auto const arrived_row = core::to_space(space, arrivals.row);
  Array<Index, Space> touched(space, owned);
  auto const reaching = core::select(space, owned, ReachesGhostsPredicate{partial, owned}, touched.span());
  Array<unsigned char, Space> marked(space, owned);
  core::fill(space, marked.span(), 0);
  core::for_each(space, reaching, MarkBody{touched.view(), marked.span()});
  core::for_each(space, arrived_row.size(), MarkBody{arrived_row.view(), marked.span()});
  auto const count = core::select(space, owned, MarkedPredicate{marked.view()}, touched.span());
  auto shared = core::copied(space, touched.view().part(0, count), space);

  Array<Index, Space> length(space, owned), shared_length(space, count);
  core::for_each(space, owned, RowLengthBody{partial.offsets, length.span()});
  core::for_each(space, count, GatherRowsBody<Index>{shared.view(), length.view(), shared_length.span(), 1});
  Array<Offset, Space> start(space, count + 1);
  auto const own = core::exclusive_scan(space, shared_length.view(), start.span());

  // In rank order: what lower ranks sent, this rank's own, what higher ranks sent.
  auto const all = static_cast<std::size_t>(own) + arrivals.column.size();
  Array<Index, Space> row(space, all);
  Array<GlobalIndex, Space> column(space, all);
  Array<Offset, Space> source(space, all);
  ShareViews const shares{row.span(), column.span(), source.span()};
  auto const from = [&](Offset begin) {
    auto const size = all - static_cast<std::size_t>(begin);
    return ShareViews{shares.row.part(begin, size), shares.column.part(begin, size),
                      shares.source.part(begin, size)};
  };
  auto const offsets = core::to_space(space, arrivals.offsets);
  auto const arrived_column = core::to_space(space, arrivals.column);
  auto const lower = static_cast<std::size_t>(arrivals.rows_of_lower);
  auto const higher = arrivals.row.size() - lower;
  auto const sent_by_lower = arrivals.offsets[lower];
  core::for_each(space, lower,
                 ListArrivedBody{arrived_row.view(), offsets.view(), arrived_column.view(), 0, 0, shares});
  auto const ghosts = comm::ghosts_in(space, columns);
  core::for_each(space, count,
                 ListOwnBody{partial, shared.view(), start.view(), owned, distribution.begin(), ghosts.view(),
                             from(sent_by_lower)});
  core::for_each(
      space, higher,
      ListArrivedBody{arrived_row.view().part(lower, higher), offsets.view().part(lower, higher + 1),
                      arrived_column.view(), sent_by_lower, sent_by_lower + own, shares});
  auto merge = merged(space, std::move(shared), row.view(), column.view(), source.view());

  auto& sum = coarse.local;
  coarse.rows = distribution;
  coarse.halo = comm::HaloPlan<Space>(space, distribution,
                                      comm::foreign_columns(space, distribution, merge.column.view()));
  sum.rows = owned;
  sum.columns = owned + coarse.halo.ghost_count();
  core::for_each(space, merge.row.size(),
                 MergedLengthBody{merge.offsets.view(), merge.row.view(), length.span()});
  sum.offsets = Array<Offset, Space>(space, static_cast<std::size_t>(owned) + 1);
  auto const total = core::exclusive_scan(space, length.span(), sum.offsets.span());
  sum.column = Array<Index, Space>(space, total);
  sum.value = Array<double, Space>(space, total);
  core::for_each(space, owned, CopyColumnsBody{partial, sum.offsets.view(), sum.column.span()});
  auto const coarse_ghosts = comm::ghosts_in(space, coarse.halo);
  Array<Index, Space> local(space, merge.column.size());
  core::for_each(space, local.size(),
                 comm::LocateColumns{merge.column.view(), distribution.begin(), owned, coarse_ghosts.view(),
                                     local.span()});
  target_ = Array<Offset, Space>(space, local.size());
  core::for_each(space, merge.row.size(),
                 WriteMergedColumnsBody{merge.row.view(), merge.offsets.view(), local.view(),
                                        sum.offsets.view(), sum.column.span(), target_.span()});
  source_offsets_ = std::move(merge.source_offsets);
  source_ = std::move(merge.source);
}

template <class Space>
void CoarseAssembly<Space>::add(Space const& space, sparse::CsrView<double> partial,
                                comm::DistCsr<double, Space>& coarse) {
  traffic_->start(space, coarse.rows.comm(), send_, partial.value.data() + first_foreign_, receive_,
                  arrived_.data(), sizeof(double));
  auto const value = coarse.local.value.span();
  core::for_each(space, coarse.local.rows, CopyValuesBody{partial, coarse.local.offsets.view(), value});
  traffic_->finish(space);
  core::for_each(space, target_.size(),
                 AddSourcesBody{target_.view(), source_offsets_.view(), source_.view(), partial.value,
                                arrived_.view(), value});
}

}  // namespace Tessera::galerkin
