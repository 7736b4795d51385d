#include "comm/inspection_body.hpp"

namespace Tessera::comm {

template Inspection<Host> inspect(Host const&, DistCsr<double, Host> const&);
template void inspect_into(Host const&, DistCsr<double, Host> const&, Span<double>, RowFindings*, double);

}  // namespace Tessera::comm
