#include "galerkin/filter_cuda.cuh"

namespace Tessera::galerkin {

template void filtered_diagonal(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<unsigned char const>,
                                FilterParameters const&, Span<double>, Span<unsigned char>);
template void refresh_filtered_diagonal(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                        Span<unsigned char const>, Span<unsigned char const>, Span<double>);

}  // namespace Tessera::galerkin
