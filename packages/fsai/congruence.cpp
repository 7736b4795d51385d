#include "fsai/congruence_body.hpp"

namespace Tessera::fsai {

template comm::DistCsr<double, InstanceSpace> congruence(InstanceSpace const&,
                                                         comm::DistCsr<double, InstanceSpace> const&,
                                                         comm::DistCsr<double, InstanceSpace> const&);

}  // namespace Tessera::fsai
