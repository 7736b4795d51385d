#pragma once
/// \file
/// Rows of the static pattern that would be too long: what they are cut to, and with what they are filled.
#include "comm/distribution.hpp"
#include "fsai/pattern.hpp"
#include "fsai/row_bound.hpp"
#include "fsai/row_systems.hpp"

namespace Tessera::fsai {

/// bound_of_static_rows, by what up to 1024 rows would have that are spread evenly over all
/// ranks' rows, so that it does not depend on the ranks. Collective.
template <class Space>
Index bound_of_rows(Space const& space, comm::Distribution const& rows, PatternView filtered,
                    OwnRows const& own, int level);

/// Rows r of the pattern with cut[r] == 1 get up to `most` entries: of the columns that one step of the
/// filtered matrix F reaches those with the strongest couplings |(F g_r)_j| / sqrt(a_jj), g_r the row of G on
/// the pattern as it is. (Of a row that is cut to its diagonal that is |a_rj| / sqrt(a_rr a_jj); in general
/// it is the part of the row's share of the Kaporin number that j alone takes away, as for growth.) Ties go
/// to the smaller column. cut[r] is then whether the row has gained anything. `workspace` as for solve_rows.
template <class Space>
RowFailure fill_cut_rows(Space const& space, LowerRows const& rows, double tau, Index most,
                         std::size_t workspace, Pattern<Space>& pattern, Span<unsigned char> cut);

}  // namespace Tessera::fsai
