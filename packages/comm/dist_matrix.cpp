#include "comm/dist_matrix_body.hpp"
#include "comm/halo_plan_body.hpp"

namespace Tessera::comm {

template GlobalIndex global_nonzeros(DistCsr<double, InstanceSpace> const&);
template GlobalIndex global_nonzeros(DistCsr<float, InstanceSpace> const&);
template std::vector<GlobalIndex> global_columns(HaloPlan<InstanceSpace> const&);
template void multiply(InstanceSpace const&, DistCsr<double, InstanceSpace> const&, Span<double const>,
                       Span<double>);
template void multiply(InstanceSpace const&, DistCsr<float, InstanceSpace> const&, Span<float const>,
                       Span<float>);

template class DistStorage<double, InstanceSpace>;
template class DistStorage<float, InstanceSpace>;
template class DistMatrix<double, InstanceSpace>;
template class DistMatrix<float, InstanceSpace>;
template class DistTranspose<double, InstanceSpace>;
template class DistTranspose<float, InstanceSpace>;
TESSERA_PRODUCTS(InstanceSpace, double)
TESSERA_PRODUCTS(InstanceSpace, float)

template class NeighbourExchange<InstanceSpace>;
TESSERA_HALO_INSTANCES(InstanceSpace)

}  // namespace Tessera::comm
