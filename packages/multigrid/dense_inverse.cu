#include "multigrid/dense_inverse_body.hpp"

namespace Tessera::multigrid {

template class DenseInverse<double, Cuda>;
template class DenseInverse<float, Cuda>;
TESSERA_DENSE_APPLY(Cuda, double)
TESSERA_DENSE_APPLY(Cuda, float)

}  // namespace Tessera::multigrid
