#pragma once
/// \file
/// The dense systems of the rows (Bernaschi et al. 2016, Algorithm 3.1, lines 7 to 12).
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// Outcome of solve_rows on this rank.
struct RowFailure {
  Index row = -1;    ///< the first row r of the pattern whose system shows that A is indefinite; -1: none
  double pivot = 0;  ///< what shows it, of this row: negative beyond rounding, or not finite
  std::size_t workspace = 0;  ///< bytes that the dense systems took at a time
};

/// value[k] = g_ij for entry k of the pattern: with A[P_i, P_i] = L D L^T, L with a unit diagonal, the
/// solution of L^T x = e_m over the root of d_m, which is w / sqrt(w_m) for A[P_i, P_i] w = e_m. (Root-free:
/// a root and the quotients of a column would cost small systems more than all products.) The pattern may be
/// any list of P_i: nothing depends on r. Rows r with active[r] == 0 are left out, unless active is empty. Of
/// A the entries on and below the diagonal are read. Systems that need memory of their own take at most
/// `workspace` bytes at a time, or that of one.
///
/// Order of operations, the same on every back end, so that results are bitwise equal. v_ij (j <= i) is a_ij
/// - v_i0 l_j0 - v_i1 l_j1 - ..., in this order; d_j = v_jj, r_j = 1 / d_j, l_ij = v_ij r_j. x_{m-1} = 1, x_j
/// = 0 - l_{m-1,j} x_{m-1} - l_{m-2,j} x_{m-2} - ..., in this order, and g_j = x_j s with s = 1 /
/// sqrt(d_{m-1}). A product that is subtracted is not rounded (fused multiply-add), all else is.
///
/// A may be semidefinite. Where d_j is zero to rounding (doubtful_rows_body.hpp), unknown j depends on those
/// before it and is left out: r_j = 0, so that l_ij = 0 and x_j = 0. Where d_{m-1} is, g is that of the
/// diagonal alone, 1 / sqrt(a_mm): with all rows of a component of A whose nullspace has k dimensions in the
/// pattern, G A G^T then has eigenvalues of 0 and from 1 to 1 + k.
template <class Space>
RowFailure solve_rows(Space const& space, LowerRows const& rows, PatternView pattern, Span<double> value,
                      std::size_t workspace, Span<unsigned char const> active = {});

}  // namespace Tessera::fsai
