#include "multigrid/coarse_solver_body.hpp"

namespace Tessera::multigrid {

template class CoarseSolver<double, Host>;
template class CoarseSolver<float, Host>;

}  // namespace Tessera::multigrid
