#pragma once
/// \file
/// Small entries leave G (Bernaschi et al. 2016, eq. (3.11) to (3.13)).
#include "fsai/lower_rows.hpp"

namespace Tessera::fsai {

/// Marks (keep[k] = 0) the entries with |g_ij| <= delta ||g_i||_2, never the diagonal, and scales the
/// others by 1 / sqrt(1 + eps^T A eps), in place. kept[r]: entries that stay in row r.
/// Sums run in the pattern's order.
template <class Space>
void postfilter(Space const& space, LowerRows const& rows, PatternView pattern, double delta,
                Span<double> value, Span<unsigned char> keep, Span<Index> kept);

/// The same with the marks given (refresh): dropped entries are those of keep.
template <class Space>
void rescale(Space const& space, LowerRows const& rows, PatternView pattern, Span<unsigned char const> keep,
             Span<double> value);

}  // namespace Tessera::fsai
