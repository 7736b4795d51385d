#pragma once
/// \file
/// Whether a matrix looks symmetric.
#include <optional>

#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Entries that should be equal; global indices.
struct UnequalPair {
  GlobalOrdinal row = 0, column = 0;
  double value = 0, transposed = 0;  ///< a(row, column) and a(column, row); 0 where there is none
};

/// A pair of entries that differ by more than rounding, among the entries of evenly spaced rows of each rank:
/// all of 256 rows in columns of the rank, 64 in columns of others. The same on all ranks, and in each run.
/// Collective.
std::optional<UnequalPair> find_unequal_pair(RowMatrix const& A);

}  // namespace Tessera::tpetra
