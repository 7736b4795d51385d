#include "krylov/block_solve_body.hpp"

namespace Tessera::krylov {

template std::vector<Result> solve_columns(Host const&, comm::DistMatrix<double, Host> const&,
                                           Preconditioner const&, std::vector<Span<double const>> const&,
                                           std::vector<Span<double>> const&, Parameters const&,
                                           Workspace<Host>&);

}  // namespace Tessera::krylov
