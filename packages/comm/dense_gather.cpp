#include "comm/dense_gather_driver.hpp"

namespace Tessera::comm {

template std::vector<double> gather_dense(Host const&, DistCsr<double, Host> const&, int);
template class VectorGather<double, Host>;
template class VectorGather<float, Host>;

}  // namespace Tessera::comm
