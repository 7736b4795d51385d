#include "krylov/lanczos_body.hpp"

namespace Tessera::krylov {

template void spectral_radius(Host const&, comm::DistCsr<double, Host> const&, Span<double const>,
                              Span<VertexId const>, int, Entries const&, double*, GershgorinBound const&);

}  // namespace Tessera::krylov
