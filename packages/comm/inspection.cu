#include "comm/inspection_cuda.cuh"

namespace Tessera::comm {

template Inspection<Cuda> inspect(Cuda const&, DistCsr<double, Cuda> const&);

}  // namespace Tessera::comm
