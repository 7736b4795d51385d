#pragma once
/// \file
/// |A| |x|, entry by entry without signs: what rounding errors of A x are measured by.
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Y = |A| |X|, for X on A's domain map and Y on its row map. Collective.
void multiply_magnitudes(RowMatrix const& A, MultiVector const& X, MultiVector& Y);

}  // namespace Tessera::tpetra
