#include "multigrid/levels/hierarchy_body.hpp"

namespace Tessera::multigrid {

TESSERA_BLOCK_CYCLE(InstanceSpace, double, core::Interleaved<double, 4>)
TESSERA_BLOCK_CYCLE(InstanceSpace, double, core::Interleaved<double, 8>)
TESSERA_BLOCK_CYCLE(InstanceSpace, float, core::Interleaved<float, 4>)
TESSERA_BLOCK_CYCLE(InstanceSpace, float, core::Interleaved<float, 8>)

}  // namespace Tessera::multigrid
