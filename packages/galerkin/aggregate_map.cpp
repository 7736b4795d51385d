#include "galerkin/aggregate_map_body.hpp"

namespace Tessera::galerkin {

template AggregateMap<Host> aggregate_map(Host const&, Tentative<Host> const&, int);

}  // namespace Tessera::galerkin
