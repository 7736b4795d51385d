#include "multigrid/smoother_body.hpp"

namespace Tessera::multigrid {

template class Smoother<double, Cuda>;
template class Smoother<float, Cuda>;

}  // namespace Tessera::multigrid
