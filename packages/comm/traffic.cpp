#include "comm/traffic_body.hpp"

namespace Tessera::comm {

template class Traffic<Host>;

}  // namespace Tessera::comm
