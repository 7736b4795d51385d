#pragma once
/// \file
/// The diagonal of a matrix, checked before aggregation.
#include "comm/dist_csr.hpp"

namespace Tessera::aggregation {

/// a_ii of the owned rows. Not collective.
/// \throws core::NumericalError naming the first row whose diagonal entry is missing, zero, negative or not
/// finite, or that has another entry which is not finite
template <class Space>
Array<double, Space> checked_diagonal(Space const& space, comm::DistCsr<double, Space> const& A);

/// The same checks for a diagonal that the caller has (0 for a missing entry, NaN where an entry of the row
/// is not finite). Entries below `smallest` are refused, too.
template <class Space>
void check_diagonal(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                    double smallest = 0);

}  // namespace Tessera::aggregation
