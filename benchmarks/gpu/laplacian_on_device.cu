#include "gpu/laplacian_on_device.hpp"

#include "support/box_stencils.hpp"

namespace Tessera::benchmarks {

sparse::Csr<double, Cuda> laplacian_on_device(Cuda const& space, Index side) {
  return stencil_matrix(space, BoxStencil{side, side, side});
}

}  // namespace Tessera::benchmarks
