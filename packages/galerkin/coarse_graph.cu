#include "galerkin/coarse_graph_body.hpp"

namespace Tessera::galerkin {

template aggregation::StrengthGraph<Cuda> coarse_graph(Cuda const&, aggregation::StrengthGraph<Cuda> const&,
                                                       Tentative<Cuda> const&, AggregateMap<Cuda> const&);

}  // namespace Tessera::galerkin
