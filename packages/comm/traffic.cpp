#include "comm/traffic_body.hpp"

namespace Tessera::comm {

template class Traffic<InstanceSpace>;

}  // namespace Tessera::comm
