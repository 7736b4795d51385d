#include "comm/dense_gather_driver.hpp"

namespace Tessera::comm {

template std::vector<double> gather_dense(Cuda const&, DistCsr<double, Cuda> const&, int);
template class VectorGather<double, Cuda>;
template class VectorGather<float, Cuda>;

}  // namespace Tessera::comm
