#include "multigrid/smoother_body.hpp"

namespace Tessera::multigrid {

TESSERA_SMOOTH(Cuda, double, core::Interleaved<double, 4>)
TESSERA_SMOOTH(Cuda, double, core::Interleaved<double, 8>)
TESSERA_SMOOTH(Cuda, float, core::Interleaved<float, 4>)
TESSERA_SMOOTH(Cuda, float, core::Interleaved<float, 8>)

}  // namespace Tessera::multigrid
