#include "krylov/lanczos_body.hpp"

namespace Tessera::krylov {

template void spectral_radius(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<double const>,
                              Span<VertexId const>, int, Entries const&, double*, GershgorinBound const&);

}  // namespace Tessera::krylov
