#pragma once
/// \file
/// Rows of the static pattern that are cut to a largest size, and the entries that fill them.
#include <algorithm>
#include <vector>

#include "comm/distribution.hpp"
#include "core/types.hpp"
#include "fsai/parameters.hpp"
#include "fsai/pattern.hpp"
#include "fsai/row_systems.hpp"

namespace Tessera::fsai {

/// A dense system of m rows takes m^3 / 3 multiply-adds. No row is cut if all systems together take at most
/// the operations of the same number of systems of this size. So a few rows may be long.
inline constexpr Index uncut_row_size = 160;
/// Otherwise rows are cut until all systems together take at most the operations of the same number of
/// systems of this size.
inline constexpr Index cut_row_size = 64;

TESSERA_HD inline double row_work(Index m) {
  return static_cast<double>(m) * m * m;
}

/// The largest row bound from `size` to largest_row that keeps the operations of all systems within those of
/// the same number of systems of `size` rows. count[m]: number of systems of m rows, m <= largest_row.
inline Index affordable_row_bound(std::vector<double> const& count, Index size) {
  double budget = 0, longer = 0, work = 0;  // longer: systems of more than m rows; work: of all other systems
  for (auto const systems : count) budget += systems * row_work(size), longer += systems;
  Index bound = size;
  for (Index m = 1; m <= largest_row; ++m) {
    longer -= count[m];
    work += count[m] * row_work(m);
    if (work + longer * row_work(m) <= budget) bound = std::max(bound, m);
  }
  return bound;
}

/// The row bound of a static pattern.
inline Index static_row_bound(std::vector<double> const& count) {
  bool const cut = affordable_row_bound(count, uncut_row_size) < largest_row;
  return cut ? affordable_row_bound(count, cut_row_size) : largest_row;
}

/// static_row_bound for the sizes of up to 1024 sampled rows. The sample is spread evenly over the rows of
/// all ranks, so the bound does not depend on the number of ranks. Collective.
template <class Space>
Index sampled_row_bound(Space const& space, comm::Distribution const& rows, PatternView filtered,
                        OwnRows const& own, int level);

/// Fills rows r with cut[r] == 1 up to `max_size` entries. The candidates are the columns that one step of
/// the filtered matrix F reaches; the largest couplings |(F g_r)_j| / sqrt(a_jj) win, g_r the row of G on the
/// given pattern. For a row cut to its diagonal the coupling is |a_rj| / sqrt(a_rr a_jj). In general its
/// square is the fraction by which column j alone lowers the row's factor of the Kaporin number (see
/// grown_pattern). The smaller column wins a tie. On return, cut[r] is 1 for each row that has gained
/// entries. `workspace`: see solve_rows.
template <class Space>
RowFailure fill_cut_rows(Space const& space, LowerRows const& rows, double tau, Index max_size,
                         std::size_t workspace, Pattern<Space>& pattern, Span<unsigned char> cut);

}  // namespace Tessera::fsai
