#pragma once
/// \file
/// What one pass over a matrix tells a setup.
#include <cstdint>
#include <string>

#include "comm/dist_csr.hpp"

namespace Tessera::comm {

/// A diagonal entry below this has an inverse with which a cycle in float overflows.
constexpr double smallest_in_float = 1e-30;

/// Of some rows: the sum of their entries' hashes (checksum_body.hpp), and max_i sum_j |a_ij| / a_ii
/// (Gershgorin), infinite where a diagonal is not positive, at least `smallest` and finite.
struct RowFindings {
  std::uint64_t hash = 0;
  double bound = 0;
};

template <class Space>
struct Inspection {
  /// Of the owned rows; 0 where it is missing, NaN where an entry of the row is not finite.
  Array<double, Space> diagonal;
  double bound = 0;      ///< RowFindings', over all ranks
  std::string checksum;  ///< checksum(A) of checksum_body.hpp
};

/// Columns distributed as rows. Collective.
template <class Space>
Inspection<Space> inspect(Space const& space, DistCsr<double, Space> const& A);

/// The same without a wait on one rank: found lies in the memory of the space. Its hash is this rank's, its
/// bound that of all.
template <class Space>
void inspect_into(Space const& space, DistCsr<double, Space> const& A, Span<double> diagonal,
                  RowFindings* found, double smallest = 0);

}  // namespace Tessera::comm
