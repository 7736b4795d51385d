#pragma once
/// \file
/// G A G^T as two distributed products.
#include "fsai/congruence.hpp"
#include "galerkin/distributed_product.hpp"
#include "sparse/spgemm.hpp"

namespace Tessera::fsai {

template <class Space>
comm::DistCsr<double, Space> congruence(Space const& space, comm::DistCsr<double, Space> const& G,
                                        comm::DistCsr<double, Space> const& A) {
  auto const times = [&](comm::DistCsr<double, Space> const& B) {
    return galerkin::product(
        space, G, B, [&](auto left, auto right, auto const&) { return sparse::spgemm(space, left, right); });
  };
  return times(galerkin::transposed(space, times(A)));
}

}  // namespace Tessera::fsai
