#pragma once
/// \file
/// The diagonal of a matrix that is to be aggregated, checked.
#include "comm/dist_csr.hpp"

namespace Tessera::aggregation {

/// a_ii of the owned rows. Not collective.
/// \throws core::NumericalError naming the first row whose diagonal entry is missing, zero, negative or not
/// finite, or that has another entry which is not finite
template <class Space>
Array<double, Space> checked_diagonal(Space const& space, comm::DistCsr<double, Space> const& A);

/// The same for a diagonal that is there (0 where it is missing, NaN where an entry of the row is not
/// finite). Entries below `smallest` cannot be used either.
template <class Space>
void check_diagonal(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                    double smallest = 0);

}  // namespace Tessera::aggregation
