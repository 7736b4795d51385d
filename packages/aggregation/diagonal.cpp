#include "aggregation/diagonal_body.hpp"

namespace Tessera::aggregation {

template Array<double, InstanceSpace> checked_diagonal(InstanceSpace const&,
                                                       comm::DistCsr<double, InstanceSpace> const&);
template void check_diagonal(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                             Span<double const>, double);

}  // namespace Tessera::aggregation
