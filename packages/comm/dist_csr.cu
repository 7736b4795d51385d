#include "comm/dist_csr_body.hpp"

namespace Tessera::comm {

template DistCsr<double, Cuda> copied(Host const&, DistCsr<double, Host> const&, Cuda const&);
template DistCsr<double, Host> copied(Cuda const&, DistCsr<double, Cuda> const&, Host const&);
template GlobalIndex global_nonzeros(DistCsr<double, Cuda> const&);
template GlobalIndex global_nonzeros(DistCsr<float, Cuda> const&);
template std::vector<GlobalIndex> global_columns(HaloPlan<Cuda> const&);
template void multiply(Cuda const&, DistCsr<double, Cuda> const&, Span<double const>, Span<double>);
template void multiply(Cuda const&, DistCsr<float, Cuda> const&, Span<float const>, Span<float>);

}  // namespace Tessera::comm
