#pragma once
/// \file
/// The dense systems of the rows of G (Bernaschi et al. 2016, Algorithm 3.1, lines 7 to 12), and the
/// postfilter, which drops small entries of G (eq. (3.11) to (3.13)).
#include "fsai/parameters.hpp"
#include "fsai/pattern.hpp"

namespace Tessera::fsai {

/// Outcome of solve_rows on this rank.
struct RowFailure {
  Index row = -1;    ///< the first pattern row r whose system shows that A is indefinite; -1: none
  double pivot = 0;  ///< the pivot of this row that shows it: not finite, or negative beyond rounding errors
  std::size_t workspace = 0;  ///< largest memory of the dense systems at one time in bytes
};

/// Computes value[k] = g_ij for entry k of the pattern. Let A[P_i, P_i] = L D L^T with a unit diagonal of L,
/// and L^T x = e_m. Then g_i = x / sqrt(d_m). This is w / sqrt(w_m) for A[P_i, P_i] w = e_m. The
/// factorisation is root-free, because a root and a column of quotients cost small systems more than all
/// products. The result of a row depends on its P_i alone, not on r. Rows with active[r] == 0 are skipped,
/// unless `active` is empty. Only entries of A on and below the diagonal are read. Systems that need extra
/// memory take at most `workspace` bytes at one time, or the memory of one system if that is more.
///
/// Order of operations, the same on every back end, so that results are bitwise equal. For j <= i,
/// v_ij = a_ij - v_i0 l_j0 - v_i1 l_j1 - ..., in this order; d_j = v_jj, r_j = 1 / d_j, l_ij = v_ij r_j.
/// x_{m-1} = 1, x_j = 0 - l_{m-1,j} x_{m-1} - l_{m-2,j} x_{m-2} - ..., in this order, and g_j = x_j s with
/// s = 1 / sqrt(d_{m-1}). Subtracted products are fused multiply-adds; every other operation is rounded.
///
/// A may be semidefinite. If d_j is zero to rounding (row_systems_body.hpp), unknown j depends on the
/// unknowns before it and is left out: r_j = 0, so that l_ij = 0 and x_j = 0. If d_{m-1} is zero to rounding,
/// g is the diagonal alone, 1 / sqrt(a_mm). Suppose that the pattern has all rows of a component of A with a
/// nullspace of k dimensions: then G A G^T has the eigenvalue 0 and eigenvalues from 1 to 1 + k there.
template <class Space>
RowFailure solve_rows(Space const& space, LowerRows const& rows, PatternView pattern, Span<double> value,
                      std::size_t workspace, Span<unsigned char const> active = {});

/// Marks entries of at most the size delta in this norm by keep[k] = 0; the diagonal always stays. Kept
/// values are scaled by 1 / sqrt(1 + eps^T A eps) in place, dropped values stay as they are. kept[r]: number
/// of kept entries of row r.
///
/// Order of operations, the same on every back end: ||g_i||_2 is the root of 0 + g_0 g_0 + g_1 g_1 + ... in
/// the pattern's order. An entry stays if |g_ij| > delta ||g_i||_2, in the energy norm if g_ij * g_ij * a_jj
/// > delta * delta. With the set E of dropped columns, ascending, s = 0 + eps_a t_a + ... over a in E, where
/// t_a = 0 + a_ab eps_b + ... over the stored entries b in E of row a of A, on both sides of the diagonal.
/// Then f = 1 / sqrt(1 + s), and g_ij becomes g_ij * f.
template <class Space>
void postfilter(Space const& space, LowerRows const& rows, PatternView pattern, double delta,
                PostfilterNorm norm, Span<double> value, Span<unsigned char> keep, Span<Index> kept);

/// The same for given marks, in a refresh: rows are scaled for the entries that `keep` drops.
template <class Space>
void rescale(Space const& space, LowerRows const& rows, PatternView pattern, Span<unsigned char const> keep,
             Span<double> value);

}  // namespace Tessera::fsai
