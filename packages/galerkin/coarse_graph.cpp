#include "galerkin/coarse_graph_body.hpp"

namespace Tessera::galerkin {

template aggregation::StrengthGraph<Host> coarse_graph(Host const&, aggregation::StrengthGraph<Host> const&,
                                                       Tentative<Host> const&, AggregateMap<Host> const&);

}  // namespace Tessera::galerkin
