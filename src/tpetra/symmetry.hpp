#pragma once
/// \file
/// Whether a matrix looks symmetric.
#include <optional>
#include <string>

#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Entries that should be equal; global indices.
struct UnequalPair {
  GlobalOrdinal row = 0, column = 0;
  double value = 0, transposed = 0;  ///< a(row, column) and a(column, row); 0 where there is none
};

/// A pair of entries that differ by more than rounding, among the entries of evenly spaced rows of each rank:
/// of 256 rows in columns of the rank, 64 entries in columns of others; of rows with 128 entries and more, 64
/// to 128. The same on all ranks, and in each run. Collective.
std::optional<UnequalPair> find_unequal_pair(RowMatrix const& A);

/// Names such a pair in words; empty where there is none. Collective.
std::string asymmetry(RowMatrix const& A);

}  // namespace Tessera::tpetra
