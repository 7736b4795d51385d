#include "krylov/conjugate_gradients_body.hpp"

namespace Tessera::krylov {

template class Workspace<Host>;
template Result solve(Host const&, comm::DistMatrix<double, Host> const&, Preconditioner const&,
                      Span<double const>, Span<double>, Parameters const&, Workspace<Host>&);
template RoundingScale rounding_scale(Host const&, comm::DistMatrix<double, Host> const&, Span<double const>,
                                      Span<double const>, Workspace<Host>&, Span<double const> const*);

}  // namespace Tessera::krylov
