#include "galerkin/aggregate_map_body.hpp"
#include "galerkin/pair_sums_body.hpp"

namespace Tessera::galerkin {

template AggregateMap<InstanceSpace> aggregate_map(InstanceSpace const&, Tentative<InstanceSpace> const&,
                                                   int);
template aggregation::StrengthGraph<InstanceSpace> coarse_graph(
    InstanceSpace const&, aggregation::StrengthGraph<InstanceSpace> const&, Tentative<InstanceSpace> const&,
    AggregateMap<InstanceSpace> const&);
template class PairSums<InstanceSpace>;

}  // namespace Tessera::galerkin
