#include "comm/halo_plan_instances.hpp"

namespace Tessera::comm {

TESSERA_HALO_INSTANCES(Cuda)

}  // namespace Tessera::comm
