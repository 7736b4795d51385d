#include "comm/inspection_cuda.cuh"

namespace Tessera::comm {

template Inspection<Cuda> inspect(Cuda const&, DistCsr<double, Cuda> const&);
template void inspect_into(Cuda const&, DistCsr<double, Cuda> const&, Span<double>, RowFindings*, double);

}  // namespace Tessera::comm
