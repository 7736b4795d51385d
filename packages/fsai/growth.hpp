#pragma once
/// \file
/// Adaptive patterns: rows grow where the Kaporin number falls fastest (Janna, Ferronato 2011; the future
/// work of Bernaschi et al. 2016).
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// One step: each row with active[r] != 0 gains up to step_size of the columns j < i outside its pattern with
/// the largest t_j t_j / a_jj > 0, t = A g_i (what a new entry alone can lower g_i^T A g_i by); ties go to
/// the smaller column. Rows stop at max_row_size entries. value: G on the old pattern. t_j = 0 + a_pj g_p +
/// ... over p in P_i, ascending, with the stored entries j of row p of A.
template <class Space>
Pattern<Space> grown_pattern(Space const& space, LowerRows const& rows, PatternView pattern,
                             Span<double const> value, Span<unsigned char const> active, int step_size,
                             int max_row_size);

}  // namespace Tessera::fsai
