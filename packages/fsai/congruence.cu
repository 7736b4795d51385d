#include "fsai/congruence_body.hpp"

namespace Tessera::fsai {

template comm::DistCsr<double, Cuda> congruence(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                                comm::DistCsr<double, Cuda> const&);

}  // namespace Tessera::fsai
