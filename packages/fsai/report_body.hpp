#pragma once
/// \file
/// Figures about G.
#include <algorithm>
#include <vector>

#include "comm/row_checks.hpp"
#include "core/parallel.hpp"
#include "fsai/factor.hpp"

namespace Tessera::fsai {

/// 1 for rows with first <= entries <= last.
struct SizeInRangeBody {
  Span<Offset const> offsets;
  Offset first, last;
  TESSERA_HD Index operator()(Index r) const {
    auto const size = offsets[r + 1] - offsets[r];
    return first <= size && size <= last ? 1 : 0;
  }
};

struct SizeBody {
  Span<Offset const> offsets;
  TESSERA_HD Index operator()(Index r) const { return static_cast<Index>(offsets[r + 1] - offsets[r]); }
};

/// Of this rank and all factors; known before what they are taken from is given back.
struct LocalFigures {
  GlobalIndex rows = 0, nonzeros = 0, pattern_nonzeros = 0, factor_nonzeros = 0;
  std::vector<GlobalIndex> row_sizes;  ///< rows of the pattern with 1, 2, 3-4, 5-8, ... entries
  Index largest_row = 0;
  std::size_t workspace = 0;
};

/// What a factor adds to its product's.
template <class Space>
void add_figures(Space const& space, Factor<Space> const& factor, LocalFigures& figures) {
  auto const pattern = factor.pattern.view();
  figures.pattern_nonzeros += static_cast<GlobalIndex>(pattern.column.size());
  figures.factor_nonzeros += factor.G.local.nonzeros();
  auto const longest = core::reduce(space, pattern.rows, SizeBody{pattern.offsets}, core::Max{}, Index{0});
  figures.largest_row = std::max(figures.largest_row, longest);
  figures.workspace = std::max(figures.workspace, factor.workspace);
  std::size_t bin = 0;
  for (Offset first = 1, last = 1; last <= largest_row; first = last + 1, last *= 2, ++bin) {
    if (bin == figures.row_sizes.size()) figures.row_sizes.push_back(0);
    figures.row_sizes[bin] += core::sum(space, pattern.rows, SizeInRangeBody{pattern.offsets, first, last});
  }
}

/// Collective.
inline void sum_figures(comm::Communicator const& comm, LocalFigures const& figures, Report& report) {
  report.rows = comm.sum(figures.rows);
  report.nonzeros = comm.sum(figures.nonzeros);
  report.pattern_nonzeros = comm.sum(figures.pattern_nonzeros);
  report.factor_nonzeros = comm.sum(figures.factor_nonzeros);
  auto const over = [](GlobalIndex a, GlobalIndex b) {
    return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
  };
  report.pattern_density = over(report.pattern_nonzeros, report.nonzeros);
  report.density = over(report.factor_nonzeros, report.nonzeros);
  report.filtered_share = over(report.pattern_nonzeros - report.factor_nonzeros, report.pattern_nonzeros);
  report.largest_row = static_cast<Index>(comm.max(GlobalIndex{figures.largest_row}));
  report.peak_workspace = static_cast<std::size_t>(comm.max(static_cast<GlobalIndex>(figures.workspace)));
  report.row_size_histogram.clear();
  for (auto const count : figures.row_sizes) report.row_size_histogram.push_back(comm.sum(count));
  while (!report.row_size_histogram.empty() && report.row_size_histogram.back() == 0)
    report.row_size_histogram.pop_back();
}

}  // namespace Tessera::fsai
