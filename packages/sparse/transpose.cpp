#include "sparse/transpose_body.hpp"

namespace Tessera::sparse {

template Transposed<double, Host> transpose(Host const&, CsrView<double>);
template void refresh_transpose(Host const&, CsrView<double>, Transposed<double, Host>&);

}  // namespace Tessera::sparse
