#include "galerkin/tentative_body.hpp"

namespace Tessera::galerkin {

template Tentative<Host> tentative_prolongator(Host const&, aggregation::Aggregates<Host> const&,
                                               Span<double const>, int, int);

}  // namespace Tessera::galerkin
