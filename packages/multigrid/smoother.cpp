#include "multigrid/smoother_body.hpp"
#include "multigrid/sparse_inverse_body.hpp"

namespace Tessera::multigrid {

template class SparseInverse<double, Host>;
template class SparseInverse<float, Host>;
template class Smoother<double, Host>;
template class Smoother<float, Host>;
TESSERA_SMOOTH(Host, double, double)
TESSERA_SMOOTH(Host, float, float)

}  // namespace Tessera::multigrid
