#include "multigrid/levels/hierarchy_body.hpp"

namespace Tessera::multigrid {

TESSERA_BLOCK_CYCLES(, InstanceSpace, double)
TESSERA_BLOCK_CYCLES(, InstanceSpace, float)

}  // namespace Tessera::multigrid
