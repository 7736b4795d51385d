#include "krylov/lanczos_body.hpp"

namespace Tessera::krylov {

template void spectral_radius(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                              Span<double const>, Span<VertexId const>, int, Entries const&, double*,
                              GershgorinBound const&);

}  // namespace Tessera::krylov
