#include "aggregation/strength_body.hpp"

namespace Tessera::aggregation {

template StrengthGraph<InstanceSpace> strength(InstanceSpace const&,
                                               comm::DistCsr<double, InstanceSpace> const&, Points const&,
                                               StrengthParameters const&);
template StrengthGraph<InstanceSpace> strength(InstanceSpace const&,
                                               comm::DistCsr<double, InstanceSpace> const&,
                                               Span<double const>, Points const&, StrengthParameters const&);

}  // namespace Tessera::aggregation
