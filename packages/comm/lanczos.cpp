#include "comm/lanczos_body.hpp"

namespace Tessera::comm {

template SpectralRadius spectral_radius(Host const&, DistCsr<double, Host> const&, Span<double const>,
                                        Span<VertexId const>, int, int, Filter const&, double);

}  // namespace Tessera::comm
