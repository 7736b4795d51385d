#include "multigrid/dense_inverse_body.hpp"
#include "multigrid/direct_solver_body.hpp"

namespace Tessera::multigrid {

template class DenseInverse<double, InstanceSpace>;
template class DenseInverse<float, InstanceSpace>;
TESSERA_DENSE_APPLY(InstanceSpace, double)
TESSERA_DENSE_APPLY(InstanceSpace, float)

template void require_solution(std::string const&, sparse::DirectSolver<InstanceSpace>&, InstanceSpace const&,
                               sparse::CsrView<double> const&);

}  // namespace Tessera::multigrid
