#include "multigrid/dense_inverse_body.hpp"

namespace Tessera::multigrid {

template class DenseInverse<double, Cuda>;
template class DenseInverse<float, Cuda>;

}  // namespace Tessera::multigrid
