#pragma once
/// \file
/// Products with |A|, which scale the rounding errors of A x, and products with long rows.
#include <vector>

#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Y = |A| |X|, for X on A's domain map and Y on its row map. Collective.
void multiply_magnitudes(RowMatrix const& A, MultiVector const& X, MultiVector& Y);

/// sparse::rounding_weight() of each row of this rank.
std::vector<double> rounding_weights(RowMatrix const& A);

/// Recomputes the long rows of Y = A X by piecewise sums (sparse/engine/row_terms.hpp), because Tpetra's sums
/// add a rounding error per entry. Does nothing if Y's map is not A's row map: Tpetra then sums the parts of
/// rows. Collective.
void sum_long_rows(RowMatrix const& A, MultiVector const& X, MultiVector& Y);

}  // namespace Tessera::tpetra
