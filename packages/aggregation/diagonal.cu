#include "aggregation/diagonal_cuda.cuh"

namespace Tessera::aggregation {

template Array<double, Cuda> checked_diagonal(Cuda const&, comm::DistCsr<double, Cuda> const&);

}  // namespace Tessera::aggregation
