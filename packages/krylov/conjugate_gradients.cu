#include "krylov/conjugate_gradients_body.hpp"

namespace Tessera::krylov {

template class Workspace<Cuda>;
template Result solve(Cuda const&, comm::DistMatrix<double, Cuda> const&, Preconditioner const&,
                      Span<double const>, Span<double>, Parameters const&, Workspace<Cuda>&);
template RoundingScale rounding_scale(Cuda const&, comm::DistMatrix<double, Cuda> const&, Span<double const>,
                                      Span<double const>, Workspace<Cuda>&, Span<double const> const*);

}  // namespace Tessera::krylov
