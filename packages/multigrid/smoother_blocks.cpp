#include "multigrid/smoother_body.hpp"

namespace Tessera::multigrid {

TESSERA_SMOOTH(InstanceSpace, double, core::Interleaved<double, 4>)
TESSERA_SMOOTH(InstanceSpace, double, core::Interleaved<double, 8>)
TESSERA_SMOOTH(InstanceSpace, float, core::Interleaved<float, 4>)
TESSERA_SMOOTH(InstanceSpace, float, core::Interleaved<float, 8>)

}  // namespace Tessera::multigrid
