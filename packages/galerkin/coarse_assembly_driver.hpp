#pragma once
/// \file
/// The members of CoarseAssembly.
#include "galerkin/coarse_assembly_body.hpp"

namespace Tessera::galerkin {

template <class Space>
CoarseAssembly<Space>::CoarseAssembly(Space const& space, comm::HaloPlan<Space> const& rows,
                                      comm::HaloPlan<Space> const& columns, sparse::CsrView<double> partial,
                                      comm::DistCsr<double, Space>& coarse) {
  auto const& distribution = rows.distribution();
  Index const owned = distribution.local_size();

  for (auto const& owner : rows.receive_from()) {
    auto const bounds = core::to_vector(
        space,
        partial.offsets.part(owned + owner.begin, static_cast<std::size_t>(owner.end - owner.begin) + 1));
    shipments_.push_back({owner.rank, bounds.front(), bounds.back()});
  }
  std::vector<Share> shares;
  arrived_shares(distribution.comm().exchange(rows_for_others(space, partial, rows, columns)),
                 distribution.begin(), shares);

  Array<Index, Space> reaching(space, owned);
  auto const count = core::select(space, owned, ReachesGhostsPredicate{partial, owned}, reaching.span());
  auto touched = core::to_vector(space, reaching.view().part(0, count));
  for (auto const& share : shares) touched.push_back(share.row);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  own_shares(space, partial, columns, touched, shares);
  std::sort(shares.begin(), shares.end());
  auto const rows_merged = merged(std::move(touched), shares);

  std::vector<GlobalIndex> ghosts;
  for (auto const c : rows_merged.column) {
    if (!distribution.owns(c)) ghosts.push_back(c);
  }
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  std::vector<Index> local;
  local.reserve(rows_merged.column.size());
  for (auto const c : rows_merged.column) {
    auto const ghost = std::lower_bound(ghosts.begin(), ghosts.end(), c) - ghosts.begin();
    local.push_back(static_cast<Index>(distribution.owns(c) ? c - distribution.begin() : owned + ghost));
  }

  auto& sum = coarse.local;
  sum.rows = owned;
  sum.columns = owned + static_cast<Index>(ghosts.size());
  coarse.rows = distribution;
  coarse.halo = comm::HaloPlan<Space>(space, distribution, std::move(ghosts));

  auto const row = core::to_space(space, rows_merged.row);
  auto const merged_length = core::to_space(space, rows_merged.length);
  Array<Index, Space> length(space, owned);
  core::for_each(space, owned, RowLengthBody{partial.offsets, length.span()});
  core::for_each(space, row.size(), ScatterLengthBody{row.view(), merged_length.view(), length.span()});
  sum.offsets = Array<Offset, Space>(space, static_cast<std::size_t>(owned) + 1);
  auto const total = core::exclusive_scan(space, length.span(), sum.offsets.span());
  sum.column = Array<Index, Space>(space, total);
  sum.value = Array<double, Space>(space, total);
  core::for_each(space, owned, CopyColumnsBody{partial, sum.offsets.view(), sum.column.span()});
  auto const merged_offsets = core::to_space(space, rows_merged.offsets);
  auto const merged_column = core::to_space(space, local);
  target_ = Array<Offset, Space>(space, local.size());
  core::for_each(space, row.size(),
                 WriteMergedColumnsBody{row.view(), merged_offsets.view(), merged_column.view(),
                                        sum.offsets.view(), sum.column.span(), target_.span()});
  source_offsets_ = core::to_space(space, rows_merged.source_offsets);
  source_ = core::to_space(space, rows_merged.source);
  core::synchronize(space);  // the host vectors above go out of scope
}

template <class Space>
void CoarseAssembly<Space>::add(Space const& space, sparse::CsrView<double> partial,
                                comm::DistCsr<double, Space>& coarse) const {
  comm::Letters letters;
  for (auto const& shipment : shipments_) {
    auto const size = static_cast<std::size_t>(shipment.end - shipment.begin);
    comm::write(letters[shipment.rank], core::to_vector(space, partial.value.part(shipment.begin, size)));
  }
  std::vector<double> values;
  for (auto const& [rank, letter] : coarse.rows.comm().exchange(letters)) {
    comm::LetterReader reader(letter);
    reader.read(values, reader.bytes_left() / sizeof(double));
  }
  auto const arrived = core::to_space(space, values);
  auto const value = coarse.local.value.span();
  core::for_each(space, coarse.local.rows, CopyValuesBody{partial, coarse.local.offsets.view(), value});
  core::for_each(space, target_.size(),
                 AddSourcesBody{target_.view(), source_offsets_.view(), source_.view(), partial.value,
                                arrived.view(), value});
  core::synchronize(space);
}

}  // namespace Tessera::galerkin
