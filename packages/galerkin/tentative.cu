#include "galerkin/tentative_body.hpp"

namespace Tessera::galerkin {

template Tentative<Cuda> tentative_prolongator(Cuda const&, aggregation::Aggregates<Cuda> const&,
                                               Span<double const>, int, int);

}  // namespace Tessera::galerkin
