#include "sparse/transpose_body.hpp"

namespace Tessera::sparse {

template Transposed<double, InstanceSpace> transpose(InstanceSpace const&, CsrView<double>);
template void refresh_transpose(InstanceSpace const&, CsrView<double>, Transposed<double, InstanceSpace>&);

}  // namespace Tessera::sparse
