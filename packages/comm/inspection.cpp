#include "comm/inspection_body.hpp"

namespace Tessera::comm {

template Inspection<Host> inspect(Host const&, DistCsr<double, Host> const&);

}  // namespace Tessera::comm
