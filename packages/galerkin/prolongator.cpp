#include "galerkin/block_filter_body.hpp"
#include "galerkin/prolongator_body.hpp"
#include "galerkin/tentative_body.hpp"

namespace Tessera::galerkin {

template Tentative<InstanceSpace> tentative_prolongator(InstanceSpace const&,
                                                        aggregation::Aggregates<InstanceSpace> const&,
                                                        Span<double const>, int, int);
template void filtered_diagonal(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                                Span<unsigned char const>, FilterParameters const&, KeptVector, Span<double>,
                                Span<unsigned char>, double*);
template void refresh_filtered_diagonal(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                                        Span<unsigned char const>, Span<unsigned char const>, KeptVector,
                                        Span<double>, double*);
template void filtered_blocks(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                              Span<unsigned char const>, FilterParameters const&, KeptVectors const&, int,
                              bool, Span<double>, Span<double>, Span<unsigned char>, double*);
template comm::DistCsr<double, InstanceSpace> prolongator(InstanceSpace const&,
                                                          comm::DistCsr<double, InstanceSpace> const&,
                                                          FilteredEntries const&, Span<double const>,
                                                          Tentative<InstanceSpace> const&, Damping,
                                                          ProlongatorPlan<InstanceSpace>*, GlobalIndex*);
template void refresh_prolongator(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                                  FilteredEntries const&, Span<double const>, Tentative<InstanceSpace> const&,
                                  Damping, ProlongatorPlan<InstanceSpace> const&,
                                  comm::DistCsr<double, InstanceSpace>&);

}  // namespace Tessera::galerkin
