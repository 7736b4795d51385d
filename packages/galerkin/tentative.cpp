#include "galerkin/tentative_body.hpp"

namespace Tessera::galerkin {

template Tentative<InstanceSpace> tentative_prolongator(InstanceSpace const&,
                                                        aggregation::Aggregates<InstanceSpace> const&,
                                                        Span<double const>, int, int);

}  // namespace Tessera::galerkin
