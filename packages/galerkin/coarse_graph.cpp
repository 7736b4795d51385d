#include "galerkin/coarse_graph_body.hpp"

namespace Tessera::galerkin {

template aggregation::StrengthGraph<InstanceSpace> coarse_graph(
    InstanceSpace const&, aggregation::StrengthGraph<InstanceSpace> const&, Tentative<InstanceSpace> const&,
    AggregateMap<InstanceSpace> const&);

}  // namespace Tessera::galerkin
