#pragma once
/// \file
/// Figures about G.
#include <algorithm>

#include "comm/row_checks.hpp"
#include "core/parallel.hpp"
#include "fsai/factor.hpp"

namespace Tessera::fsai {

/// 1 for rows with first <= entries <= last.
struct SizeInRangeBody {
  PatternView pattern;
  Offset first, last;
  TESSERA_HD Index operator()(Index r) const {
    return first <= pattern.size(r) && pattern.size(r) <= last ? 1 : 0;
  }
};

struct SizeBody {
  PatternView pattern;
  TESSERA_HD Index operator()(Index r) const { return pattern.size(r); }
};

/// What a factor adds to the report of the product. Collective.
template <class Space>
void add_figures(Space const& space, Factor<Space> const& factor, Report& report) {
  auto const& comm = factor.G.rows.comm();
  auto const pattern = factor.pattern.view();
  report.factors += 1;
  report.pattern_nonzeros += comm.sum(static_cast<GlobalIndex>(pattern.column.size()));
  report.factor_nonzeros += comm::global_nonzeros(factor.G);
  auto const longest = core::reduce(space, pattern.rows, SizeBody{pattern}, core::Max{}, Index{0});
  report.largest_row = std::max(report.largest_row, static_cast<Index>(comm.max(GlobalIndex{longest})));
  auto const workspace = static_cast<std::size_t>(comm.max(static_cast<GlobalIndex>(factor.workspace)));
  report.peak_workspace = std::max(report.peak_workspace, workspace);
  auto& histogram = report.row_size_histogram;
  std::size_t bin = 0;
  for (Offset first = 1, last = 1; first <= report.largest_row; first = last + 1, last *= 2, ++bin) {
    if (bin == histogram.size()) histogram.push_back(0);
    histogram[bin] +=
        comm.sum(GlobalIndex{core::sum(space, pattern.rows, SizeInRangeBody{pattern, first, last})});
  }
  report.checksum += (report.checksum.empty() ? "" : "-") + comm::checksum(space, factor.G);
  for (auto const& [phase, seconds] : factor.phases) report.phases[phase] += comm.max(seconds);
}

}  // namespace Tessera::fsai
