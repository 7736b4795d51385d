#include "comm/traffic_body.hpp"

namespace Tessera::comm {

template class Traffic<Cuda>;

}  // namespace Tessera::comm
