#include "galerkin/filter_body.hpp"

namespace Tessera::galerkin {

template void filtered_diagonal(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<unsigned char const>,
                                FilterParameters const&, Span<double>, Span<unsigned char>, double*);
template void refresh_filtered_diagonal(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                        Span<unsigned char const>, Span<unsigned char const>, Span<double>,
                                        double*);

}  // namespace Tessera::galerkin
