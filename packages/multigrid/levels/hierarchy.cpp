#include "multigrid/levels/hierarchy_body.hpp"

namespace Tessera::multigrid {

template class Hierarchy<double, InstanceSpace>;
template class Hierarchy<float, InstanceSpace>;

}  // namespace Tessera::multigrid
