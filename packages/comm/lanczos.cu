#include "comm/lanczos_resident_cuda.cuh"

namespace Tessera::comm {

template SpectralRadius spectral_radius(Cuda const&, DistCsr<double, Cuda> const&, Span<double const>,
                                        Span<VertexId const>, int, int, Filter const&, double);

}  // namespace Tessera::comm
