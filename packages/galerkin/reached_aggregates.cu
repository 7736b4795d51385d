#include "galerkin/reached_aggregates_body.hpp"

namespace Tessera::galerkin {

template ReachedAggregates<Cuda> reached_aggregates(Cuda const&, aggregation::StrengthGraph<Cuda> const&,
                                                    Tentative<Cuda> const&, Span<unsigned char const>,
                                                    EnergyParameters const&);
template comm::DistCsr<double, Cuda> spread_tentative(Cuda const&, ReachedAggregates<Cuda> const&,
                                                      Tentative<Cuda> const&, comm::Distribution const&);
template void restart_tentative(Cuda const&, ReachedAggregates<Cuda> const&, Tentative<Cuda> const&,
                                comm::DistCsr<double, Cuda>&);

}  // namespace Tessera::galerkin
