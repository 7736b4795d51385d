#include "comm/lanczos_both_host.hpp"

namespace Tessera::comm {

template SpectralRadius spectral_radius(Host const&, DistCsr<double, Host> const&, Span<double const>,
                                        Span<VertexId const>, int, int, Filter const&, double,
                                        Entries const&);

template TwoRadii spectral_radii(Host const&, DistCsr<double, Host> const&, Span<double const>, double,
                                 Span<double const>, Filter const&, Span<VertexId const>, int, int,
                                 Entries const&);

template void spectral_radii_into(Host const&, DistCsr<double, Host> const&, Span<double const>,
                                  Span<double const>, Filter const&, Span<VertexId const>, int,
                                  Entries const&, RadiiOnSpace const&);

}  // namespace Tessera::comm
