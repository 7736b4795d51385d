#pragma once
/// \file
/// |A| |x|, entry by entry without signs: what rounding errors of A x are measured by.
#include <vector>

#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Y = |A| |X|, for X on A's domain map and Y on its row map. Collective.
void multiply_magnitudes(RowMatrix const& A, MultiVector const& X, MultiVector& Y);

/// sparse::rounding_weight() of each row of this rank.
std::vector<double> rounding_weights(RowMatrix const& A);

/// Y = A X again in long rows, as sparse/engine/row_terms.hpp sums them, where Tpetra's own sums lose a
/// rounding an entry. Where Y's map is not A's row map, Tpetra adds up what rows have, and Y stays
/// as it is. Collective.
void sum_long_rows(RowMatrix const& A, MultiVector const& X, MultiVector& Y);

}  // namespace Tessera::tpetra
