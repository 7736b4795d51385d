#pragma once
/// \file
/// The postfilter, which drops small entries of G (Bernaschi et al. 2016, eq. (3.11) to (3.13)).
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

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
