#pragma once
/// \file
/// What one pass over a matrix tells a setup.
#include <string>

#include "comm/dist_csr.hpp"

namespace Tessera::comm {

template <class Space>
struct Inspection {
  /// Of the owned rows; 0 where it is missing, NaN where an entry of the row is not finite.
  Array<double, Space> diagonal;
  /// max_i sum_j |a_ij| / a_ii over all ranks (Gershgorin); infinite where a diagonal is not positive and
  /// finite.
  double bound = 0;
  std::string checksum;  ///< checksum(A) of checksum_body.hpp
};

/// Columns distributed as rows. Collective.
template <class Space>
Inspection<Space> inspect(Space const& space, DistCsr<double, Space> const& A);

}  // namespace Tessera::comm
