#include "galerkin/aggregate_map_body.hpp"

namespace Tessera::galerkin {

template AggregateMap<InstanceSpace> aggregate_map(InstanceSpace const&, Tentative<InstanceSpace> const&,
                                                   int);

}  // namespace Tessera::galerkin
