#pragma once
/// \file
/// Adaptive patterns: each row gains the entries that lower the Kaporin number most (Janna, Ferronato 2011;
/// with_memory_context as future work in Bernaschi et al. 2016).
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// Limits of one growth step.
struct GrowthRule {
  int step_size = 8;  ///< entries that a row gains, or half of its size if that is larger
  int max_row_size = 1024;
  double tolerance = 0;  ///< least gain of a new entry
  /// Number of entries that a row of `size` entries may gain.
  TESSERA_HD Index room(Index size) const {
    Index const wanted = size / 2 > step_size ? size / 2 : step_size, left = max_row_size - size;
    return wanted < left ? wanted : left < 0 ? 0 : left;
  }
};

/// One growth step for each row with active[r] != 0. On return, active[r] is 1 for each row that has grown.
/// Candidates are the columns j < min(i, rows.columns) outside of the pattern with a gain t_j t_j / a_jj >
/// tolerance, t = A g_i. Since g_i^T A g_i = 1, this gain is the amount by which the new entry alone lowers
/// the row's share of the Kaporin number. The largest gains win, as many as the rule has room for; the
/// smaller column wins a tie. value: G on the old pattern. t_j = 0 + a_pj g_p + ... over p in P_i, ascending,
/// with the stored entries j of row p of A.
template <class Space>
Pattern<Space> grown_pattern(Space const& space, LowerRows const& rows, PatternView pattern,
                             Span<double const> value, Span<unsigned char> active, GrowthRule const& rule);

}  // namespace Tessera::fsai
