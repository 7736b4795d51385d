#include "multigrid/smoother_body.hpp"

namespace Tessera::multigrid {

template class Smoother<double, Host>;
template class Smoother<float, Host>;

}  // namespace Tessera::multigrid
