#include "multigrid/levels/hierarchy_body.hpp"

namespace Tessera::multigrid {

template class Hierarchy<double, Host>;
template class Hierarchy<float, Host>;

}  // namespace Tessera::multigrid
