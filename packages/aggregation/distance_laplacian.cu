#include "aggregation/distance_laplacian_body.hpp"

namespace Tessera::aggregation {

template DistanceLaplacian<Cuda> distance_laplacian(Cuda const&, Couplings const&,
                                                    comm::HaloPlan<Cuda> const&, Span<double const>, int,
                                                    NodeName const&);

}  // namespace Tessera::aggregation
