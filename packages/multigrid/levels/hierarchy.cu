#include "multigrid/levels/hierarchy_body.hpp"

namespace Tessera::multigrid {

template class Hierarchy<double, Cuda>;
template class Hierarchy<float, Cuda>;

}  // namespace Tessera::multigrid
