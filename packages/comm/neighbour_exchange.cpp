#include "comm/neighbour_exchange_body.hpp"

namespace Tessera::comm {

template class NeighbourExchange<InstanceSpace>;

}  // namespace Tessera::comm
