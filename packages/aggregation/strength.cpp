#include "aggregation/diagonal_body.hpp"
#include "aggregation/strength_body.hpp"

namespace Tessera::aggregation {

template Array<double, InstanceSpace> checked_diagonal(InstanceSpace const&,
                                                       comm::DistCsr<double, InstanceSpace> const&);
template void check_diagonal(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                             Span<double const>, double);
template StrengthGraph<InstanceSpace> strength(InstanceSpace const&,
                                               comm::DistCsr<double, InstanceSpace> const&, Points const&,
                                               StrengthParameters const&);
template StrengthGraph<InstanceSpace> strength(InstanceSpace const&,
                                               comm::DistCsr<double, InstanceSpace> const&,
                                               Span<double const>, Points const&, StrengthParameters const&);

}  // namespace Tessera::aggregation
