#include "galerkin/aggregate_map_body.hpp"

namespace Tessera::galerkin {

template AggregateMap<Cuda> aggregate_map(Cuda const&, Tentative<Cuda> const&, int);

}  // namespace Tessera::galerkin
