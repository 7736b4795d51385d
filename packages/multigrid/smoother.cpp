#include "multigrid/smoother_body.hpp"
#include "multigrid/sparse_inverse_body.hpp"

namespace Tessera::multigrid {

template class SparseInverse<double, InstanceSpace>;
template class SparseInverse<float, InstanceSpace>;
template class Smoother<double, InstanceSpace>;
template class Smoother<float, InstanceSpace>;
TESSERA_SMOOTH(InstanceSpace, double, double)
TESSERA_SMOOTH(InstanceSpace, float, float)

}  // namespace Tessera::multigrid
