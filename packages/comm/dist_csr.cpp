#include "comm/dist_csr_body.hpp"

namespace Tessera::comm {

template GlobalIndex global_nonzeros(DistCsr<double, Host> const&);
template GlobalIndex global_nonzeros(DistCsr<float, Host> const&);
template std::vector<GlobalIndex> global_columns(HaloPlan<Host> const&);
template void multiply(Host const&, DistCsr<double, Host> const&, Span<double const>, Span<double>);
template void multiply(Host const&, DistCsr<float, Host> const&, Span<float const>, Span<float>);

}  // namespace Tessera::comm
