#include "aggregation/mis2_cuda.cuh"

namespace Tessera::aggregation {

template void mis2(Cuda const&, StrengthGraph<Cuda> const&, Span<VertexId const>, Span<unsigned char const>,
                   int, Span<Mis2State>, Span<Index const>);

}  // namespace Tessera::aggregation
