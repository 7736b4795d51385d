#include "comm/dist_matrix_body.hpp"

namespace Tessera::comm {

template class DistStorage<double, Cuda>;
template class DistStorage<float, Cuda>;
template class DistMatrix<double, Cuda>;
template class DistMatrix<float, Cuda>;
template class DistTranspose<double, Cuda>;
template class DistTranspose<float, Cuda>;
TESSERA_PRODUCTS(Cuda, double)
TESSERA_PRODUCTS(Cuda, float)

}  // namespace Tessera::comm
