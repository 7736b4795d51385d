#include "comm/halo_plan_body.hpp"

namespace Tessera::comm {

TESSERA_HALO_INSTANCES(InstanceSpace)

}  // namespace Tessera::comm
