#include "galerkin/block_filter_body.hpp"
#include "galerkin/filter_body.hpp"

namespace Tessera::galerkin {

template void filtered_diagonal(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                                Span<unsigned char const>, FilterParameters const&, KeptVector, Span<double>,
                                Span<unsigned char>, double*);
template void refresh_filtered_diagonal(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                                        Span<unsigned char const>, Span<unsigned char const>, KeptVector,
                                        Span<double>, double*);
template void filtered_blocks(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                              Span<unsigned char const>, FilterParameters const&, KeptVectors const&, int,
                              bool, Span<double>, Span<double>, Span<unsigned char>, double*);

}  // namespace Tessera::galerkin
