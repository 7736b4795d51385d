#pragma once
/// \file
/// What a factor leaves to the next one.
#include "comm/dist_csr.hpp"

namespace Tessera::fsai {

/// G A G^T for symmetric A, both distributed alike, with the pattern of the product of patterns. Computed as
/// G W^T with W = G A, so that both sums run along the rows of G as they are stored, which is the same for
/// any number of ranks: so are the values, bitwise. Collective.
template <class Space>
comm::DistCsr<double, Space> congruence(Space const& space, comm::DistCsr<double, Space> const& G,
                                        comm::DistCsr<double, Space> const& A);

}  // namespace Tessera::fsai
