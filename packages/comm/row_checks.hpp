#pragma once
/// \file
/// What one pass over a matrix tells a setup.
#include <cmath>
#include <cstdint>
#include <string>

#include "comm/dist_csr.hpp"

namespace Tessera::comm {

/// A diagonal entry below this has an inverse with which a cycle in float overflows.
constexpr double smallest_in_float = 1e-30;

/// Of all rows of all ranks.
struct RowChecks {
  /// Sum over entries of a hash of (global row, global column, bits of the value).
  std::uint64_t hash = 0;
  /// max_i sum_j |a_ij| / a_ii, which is at least rho(D^-1 A) (Gershgorin); infinite where a diagonal is not
  /// positive, at least `smallest` and finite.
  double bound = 0;
  /// min_i a_ii / s_i, where rows have scales s; else infinite.
  double share = HUGE_VAL;
};

/// Of A, whose columns are distributed as its rows. diagonal: of owned rows; 0 where it is missing, NaN where
/// an entry of the row is not finite. found: on the space. scale: of owned rows; null: they have none.
/// Returns the number of A's entries among all ranks. Collective: agrees on errors, and no rank fails behind
/// that; waits for nothing on one rank.
template <class Space>
GlobalIndex check_rows(Space const& space, DistCsr<double, Space> const& A, Span<double> diagonal,
                       RowChecks* found, double smallest = 0, double const* scale = nullptr);

/// A hash in hexadecimal.
std::string checksum_text(std::uint64_t hash);

/// A 64-bit fingerprint of pattern and values, in hexadecimal, by which results are compared between runs,
/// ranks and machines: neither the order of storage nor the number of ranks matters. Collective.
template <class Space>
std::string checksum(Space const& space, DistCsr<double, Space> const& A);

}  // namespace Tessera::comm
