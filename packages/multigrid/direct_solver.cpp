#include "multigrid/direct_solver_body.hpp"

namespace Tessera::multigrid {

template void require_solution(std::string const&, sparse::DirectSolver<InstanceSpace>&, InstanceSpace const&,
                               sparse::CsrView<double> const&);

}  // namespace Tessera::multigrid
