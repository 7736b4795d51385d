#include "multigrid/bootstrap_body.hpp"

namespace Tessera::multigrid {

template class Bootstrap<double, Host>;
template class Bootstrap<float, Host>;

}  // namespace Tessera::multigrid
