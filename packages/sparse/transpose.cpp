#include "sparse/transpose_body.hpp"
#include "sparse/transpose_host.hpp"

namespace Tessera::sparse {

template Transposed<double, Host> transpose(Host const&, CsrView<double>);
template Transposed<float, Host> transpose(Host const&, CsrView<float>);
template void refresh_transpose(Host const&, CsrView<double>, Transposed<double, Host>&);
template void refresh_transpose(Host const&, CsrView<float>, Transposed<float, Host>&);

}  // namespace Tessera::sparse
