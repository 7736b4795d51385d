#include "comm/dist_matrix_body.hpp"

namespace Tessera::comm {

template class DistStorage<double, Host>;
template class DistStorage<float, Host>;
template class DistMatrix<double, Host>;
template class DistMatrix<float, Host>;
template class DistTranspose<double, Host>;
template class DistTranspose<float, Host>;
TESSERA_PRODUCTS(Host, double)
TESSERA_PRODUCTS(Host, float)

}  // namespace Tessera::comm
