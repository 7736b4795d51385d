#pragma once
/// \file
/// Sampled row sizes, and growth of cut rows along the filtered matrix.
#include <algorithm>
#include <vector>

#include "comm/communicator.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "fsai/cut_rows.hpp"
#include "fsai/pattern.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::fsai {

/// position[s]: position of owned row row[s] in LowerRows.
struct SamplePositionBody {
  OwnRows own;
  Span<Index const> row;
  Span<Index> position;
  TESSERA_HD void operator()(Index s) const { position[s] = own(row[s]); }
};

/// Local indices of the sampled rows that this rank owns. The rows of all ranks are divided into equal parts;
/// each part gives one row, which a hash of the part's number selects.
inline std::vector<Index> sampled_rows(comm::Distribution const& rows) {
  auto const n = rows.global_size(), samples = std::min<GlobalIndex>(n, largest_row);
  std::vector<Index> own;
  for (GlobalIndex s = 0; s < samples; ++s) {
    auto const begin = s * n / samples, end = (s + 1) * n / samples;
    auto const row = begin + static_cast<GlobalIndex>(core::mix62(s, 0)) % (end - begin);
    if (rows.owns(row)) own.push_back(static_cast<Index>(row - rows.begin()));
  }
  return own;
}

template <class Space>
Index sampled_row_bound(Space const& space, comm::Distribution const& rows, PatternView filtered,
                        OwnRows const& own, int level) {
  auto const sample = core::to_space(space, sampled_rows(rows));
  auto const samples = static_cast<Index>(sample.size());
  Array<Index, Space> position(space, sample.size());
  core::for_each(space, sample.size(), SamplePositionBody{own, sample.view(), position.span()});
  Array<unsigned char, Space> cut(space, sample.size());
  std::vector<double> count(largest_row + 1, 0.0);
  if (samples > 0) {
    auto const found =
        static_pattern(space, filtered, {own.ghosts, position.view()}, {level, largest_row}, cut.span());
    auto const offsets = core::to_vector(space, found.offsets.view());
    auto const longer = core::to_vector(space, cut.view());
    for (Index s = 0; s < samples; ++s)
      count[longer[s] != 0 ? largest_row : offsets[s + 1] - offsets[s]] += 1;
  }
  rows.comm().sum(count);
  return static_row_bound(count);
}

/// The filtered matrix of eq. (3.8), with values.
struct FilteredEntriesBody : PrefilterBody {
  TESSERA_HD void take(Index, Offset k, Index& column, double& value) const {
    column = A.column[k];
    value = A.value[k];
  }
};

template <class Space>
RowFailure fill_cut_rows(Space const& space, LowerRows const& rows, double tau, Index max_size,
                         std::size_t workspace, Pattern<Space>& pattern, Span<unsigned char> cut) {
  Array<double, Space> value(space, pattern.column.size());
  auto const failure = solve_rows(space, rows, pattern.view(), value.span(), workspace, cut);
  if (failure.row >= 0) return failure;
  Array<double, Space> diagonal(space, rows.A.rows);
  sparse::extract_diagonal(space, rows.A, diagonal.span());
  sparse::Csr<double, Space> F{rows.A.rows, rows.A.columns, {}, {}, {}};
  sparse::row_select(space, rows.A.rows, rows.A.column.size(),
                     FilteredEntriesBody{{rows.A, diagonal.view(), tau, rows.columns}}, F.offsets, F.column,
                     F.value);
  pattern = grown_pattern(space, LowerRows{F.view(), rows.own, rows.columns}, pattern.view(), value.view(),
                          cut, GrowthRule{max_size, max_size, 0.0});
  return failure;
}

}  // namespace Tessera::fsai
