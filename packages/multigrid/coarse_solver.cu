#include "multigrid/coarse_solver_body.hpp"

namespace Tessera::multigrid {

template class CoarseSolver<double, Cuda>;
template class CoarseSolver<float, Cuda>;

}  // namespace Tessera::multigrid
