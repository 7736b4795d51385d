#pragma once
/// \file
/// The matrix G A G^T from which the second factor of a product is computed.
#include "comm/dist_csr.hpp"

namespace Tessera::fsai {

/// G A G^T for symmetric A, on the pattern of the product of patterns; G and A have the same distribution.
/// Computed as G W^T with W = G A: both sums run along the stored rows of G, so that values are bitwise the
/// same on any number of ranks. Collective.
template <class Space>
comm::DistCsr<double, Space> congruence(Space const& space, comm::DistCsr<double, Space> const& G,
                                        comm::DistCsr<double, Space> const& A);

}  // namespace Tessera::fsai
