#pragma once
/// \file
/// The dense systems of the rows (Bernaschi et al. 2016, Algorithm 3.1, lines 7 to 12).
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// Outcome of solve_rows on this rank.
struct RowFailure {
  Index row = -1;    ///< the first row r of the pattern whose system is not positive definite; -1: none
  double pivot = 0;  ///< what stood where the root is taken: not a positive finite number
  std::size_t workspace = 0;  ///< bytes that the dense systems took at a time
};

/// value[k] = g_ij for entry k of the pattern: with A[P_i, P_i] = L L^T, the solution of L^T g = e_m, which
/// is w / sqrt(w_m) for A[P_i, P_i] w = e_m. The pattern may be any list of P_i, of some rows only: nothing
/// depends on r. Of A the entries on and below the diagonal are read. Gathering reads `rows.A` by merging or
/// searching P_i. Rows are taken in batches whose dense systems fit into `workspace` bytes, those of a size
/// together.
///
/// Order of operations, the same on every back end, so that results are bitwise equal: l_ij (j <= i) is
/// a_ij - l_i0 l_j0 - l_i1 l_j1 - ... in this order, then divided by l_jj (or its root taken); in the back
/// substitution g_j is (e_m)_j - l_{m-1,j} g_{m-1} - l_{m-2,j} g_{m-2} - ... in this order, over l_jj.
template <class Space>
RowFailure solve_rows(Space const& space, LowerRows const& rows, PatternView pattern, Span<double> value,
                      std::size_t workspace);

}  // namespace Tessera::fsai
