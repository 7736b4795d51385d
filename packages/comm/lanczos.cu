#include "comm/lanczos_both_cuda.cuh"

namespace Tessera::comm {

template SpectralRadius spectral_radius(Cuda const&, DistCsr<double, Cuda> const&, Span<double const>,
                                        Span<VertexId const>, int, int, Filter const&, double);

template TwoRadii spectral_radii(Cuda const&, DistCsr<double, Cuda> const&, Span<double const>, double,
                                 Span<double const>, Filter const&, Span<VertexId const>, int, int);

}  // namespace Tessera::comm
