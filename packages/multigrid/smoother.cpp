#include "multigrid/smoother_body.hpp"

namespace Tessera::multigrid {

template class SparseInverse<double, InstanceSpace>;
template class SparseInverse<float, InstanceSpace>;
template class Smoother<double, InstanceSpace>;
template class Smoother<float, InstanceSpace>;
TESSERA_SMOOTH(InstanceSpace, double, double)
TESSERA_SMOOTH(InstanceSpace, float, float)

TESSERA_SMOOTH(InstanceSpace, double, core::Interleaved<double, 4>)
TESSERA_SMOOTH(InstanceSpace, double, core::Interleaved<double, 8>)
TESSERA_SMOOTH(InstanceSpace, float, core::Interleaved<float, 4>)
TESSERA_SMOOTH(InstanceSpace, float, core::Interleaved<float, 8>)

}  // namespace Tessera::multigrid
