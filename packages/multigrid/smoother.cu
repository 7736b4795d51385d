#include "multigrid/smoother_body.hpp"
#include "multigrid/sparse_inverse_body.hpp"

namespace Tessera::multigrid {

template class SparseInverse<double, Cuda>;
template class SparseInverse<float, Cuda>;
template class Smoother<double, Cuda>;
template class Smoother<float, Cuda>;
TESSERA_SMOOTH(Cuda, double, double)
TESSERA_SMOOTH(Cuda, float, float)

}  // namespace Tessera::multigrid
