#include "galerkin/reached_aggregates_body.hpp"

namespace Tessera::galerkin {

template ReachedAggregates<Host> reached_aggregates(Host const&, aggregation::StrengthGraph<Host> const&,
                                                    Tentative<Host> const&, Span<unsigned char const>,
                                                    EnergyParameters const&);
template comm::DistCsr<double, Host> spread_tentative(Host const&, ReachedAggregates<Host> const&,
                                                      Tentative<Host> const&, comm::Distribution const&);
template void restart_tentative(Host const&, ReachedAggregates<Host> const&, Tentative<Host> const&,
                                comm::DistCsr<double, Host>&);

}  // namespace Tessera::galerkin
