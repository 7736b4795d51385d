#include "multigrid/bootstrap_body.hpp"

namespace Tessera::multigrid {

template class Bootstrap<double, InstanceSpace>;
template class Bootstrap<float, InstanceSpace>;

}  // namespace Tessera::multigrid
