#include "multigrid/bootstrap_body.hpp"

namespace Tessera::multigrid {

template class Bootstrap<double, Cuda>;
template class Bootstrap<float, Cuda>;

}  // namespace Tessera::multigrid
