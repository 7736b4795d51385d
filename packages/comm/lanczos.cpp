#include "comm/lanczos_both_host.hpp"

namespace Tessera::comm {

template SpectralRadius spectral_radius(Host const&, DistCsr<double, Host> const&, Span<double const>,
                                        Span<VertexId const>, int, int, Filter const&, double);

template TwoRadii spectral_radii(Host const&, DistCsr<double, Host> const&, Span<double const>, double,
                                 Span<double const>, Filter const&, Span<VertexId const>, int, int);

}  // namespace Tessera::comm
