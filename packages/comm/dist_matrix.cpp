#include "comm/dist_matrix_body.hpp"

namespace Tessera::comm {

template class DistStorage<double, InstanceSpace>;
template class DistStorage<float, InstanceSpace>;
template class DistMatrix<double, InstanceSpace>;
template class DistMatrix<float, InstanceSpace>;
template class DistTranspose<double, InstanceSpace>;
template class DistTranspose<float, InstanceSpace>;
TESSERA_PRODUCTS(InstanceSpace, double)
TESSERA_PRODUCTS(InstanceSpace, float)

}  // namespace Tessera::comm
