#include "aggregation/distance_laplacian_body.hpp"

namespace Tessera::aggregation {

template DistanceLaplacian<Host> distance_laplacian(Host const&, Couplings const&,
                                                    comm::HaloPlan<Host> const&, Span<double const>, int,
                                                    NodeName const&);

}  // namespace Tessera::aggregation
