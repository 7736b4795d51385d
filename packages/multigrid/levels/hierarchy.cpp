#include "multigrid/bootstrap_body.hpp"
#include "multigrid/levels/hierarchy_body.hpp"

namespace Tessera::multigrid {

template class Hierarchy<double, InstanceSpace>;
template class Hierarchy<float, InstanceSpace>;

template class Bootstrap<double, InstanceSpace>;
template class Bootstrap<float, InstanceSpace>;

}  // namespace Tessera::multigrid
