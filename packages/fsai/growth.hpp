#pragma once
/// \file
/// Adaptive patterns: rows grow where the Kaporin number falls fastest (Janna, Ferronato 2011; the future
/// work of Bernaschi et al. 2016).
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// One step: each row with active[r] != 0 gains up to step_size of the columns j < i outside its pattern with
/// the largest (A g_i)_j^2 / a_jj (what a new entry alone can lower g_i^T A g_i by); ties go to the smaller
/// column. value: G on the old pattern. Columns have to be among the rows of `rows`.
template <class Space>
Pattern<Space> grown_pattern(Space const& space, LowerRows const& rows, PatternView pattern,
                             Span<double const> value, Span<unsigned char const> active, int step_size,
                             int max_row_size);

}  // namespace Tessera::fsai
