#pragma once
/// \file
/// Adaptive patterns: rows grow where the Kaporin number falls fastest (Janna, Ferronato 2011; the future
/// work of Bernaschi et al. 2016).
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// How much rows grow in a step.
struct GrowthRule {
  int step_size = 8;  ///< entries, or half of what a row has if that is more
  int max_row_size = 1024;
  double tolerance = 0;  ///< the least gain of an entry
  /// Entries that a row of `size` may gain.
  TESSERA_HD Index room(Index size) const {
    Index const wanted = size / 2 > step_size ? size / 2 : step_size, left = max_row_size - size;
    return wanted < left ? wanted : left < 0 ? 0 : left;
  }
};

/// One step: each row with active[r] != 0, which then says whether it did, gains, as far as there is room,
/// the columns j < min(i, rows.columns) outside its pattern with the largest gains t_j t_j / a_jj >
/// tolerance, t = A g_i: since g_i^T A g_i = 1, the part of its share of the Kaporin number that a new entry
/// alone takes away. Ties go to the smaller column. value: G on the old pattern. t_j = 0 + a_pj g_p + ...
/// over p in P_i, ascending, with the stored entries j of row p of A.
template <class Space>
Pattern<Space> grown_pattern(Space const& space, LowerRows const& rows, PatternView pattern,
                             Span<double const> value, Span<unsigned char> active, GrowthRule const& rule);

}  // namespace Tessera::fsai
