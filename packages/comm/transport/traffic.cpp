#include "comm/transport/traffic_body.hpp"

namespace Tessera::comm {

template class Traffic<Host>;

}  // namespace Tessera::comm
