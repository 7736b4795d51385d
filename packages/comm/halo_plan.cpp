#include "comm/halo_plan_body.hpp"

namespace Tessera::comm {

TESSERA_HALO_INSTANCES(Host)

}  // namespace Tessera::comm
