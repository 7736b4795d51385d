#pragma once
/// \file
/// Checks and bounds that a setup computes in one pass over a matrix.
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "comm/dist_csr.hpp"

namespace Tessera::comm {

/// A diagonal entry below this value has an inverse that overflows in a cycle in float.
constexpr double smallest_in_float = 1e-30;

/// Figures of all rows of all ranks.
struct RowChecks {
  /// Sum over entries of a hash of (global row, global column, bits of the value).
  std::uint64_t hash = 0;
  /// max_i sum_j |a_ij| / a_ii, an upper bound of rho(D^-1 A) (Gershgorin); infinite if a diagonal entry is
  /// not finite, not positive, or less than `smallest`.
  double bound = 0;
  /// min_i a_ii / s_i if rows have scales s, else infinite.
  double share = HUGE_VAL;
};

/// Checks A, whose columns are distributed as its rows. diagonal: set for owned rows; 0 if an entry is
/// missing, NaN if an entry of the row is not finite. found: on the space. scale: of owned rows; null: no
/// scales. Returns the number of entries on all ranks. Collective: agrees on errors, and no rank fails after
/// that; on one rank waits for nothing.
template <class Space>
GlobalIndex check_rows(Space const& space, DistCsr<double, Space> const& A, Span<double> diagonal,
                       RowChecks* found, double smallest = 0, double const* scale = nullptr);

/// A hash in hexadecimal.
inline std::string checksum_text(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

/// A 64-bit fingerprint of pattern and values in hexadecimal, for comparison of results between runs, ranks
/// and machines. It does not depend on the order of storage or on the number of ranks. Collective.
template <class Space>
std::string checksum(Space const& space, DistCsr<double, Space> const& A);

}  // namespace Tessera::comm
