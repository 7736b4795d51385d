#include "comm/halo_plan_body.hpp"

namespace Tessera::comm {

template class NeighbourExchange<InstanceSpace>;
TESSERA_HALO_INSTANCES(InstanceSpace)

}  // namespace Tessera::comm
