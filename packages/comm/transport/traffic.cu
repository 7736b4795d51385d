#include "comm/transport/traffic_body.hpp"

namespace Tessera::comm {

template class Traffic<Cuda>;

}  // namespace Tessera::comm
