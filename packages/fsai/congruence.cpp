#include "fsai/congruence_body.hpp"

namespace Tessera::fsai {

template comm::DistCsr<double, Host> congruence(Host const&, comm::DistCsr<double, Host> const&,
                                                comm::DistCsr<double, Host> const&);

}  // namespace Tessera::fsai
