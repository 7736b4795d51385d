#include "sparse/transpose_body.hpp"

namespace Tessera::sparse {

template Transposed<double, Cuda> transpose(Cuda const&, CsrView<double>);
template void refresh_transpose(Cuda const&, CsrView<double>, Transposed<double, Cuda>&);

}  // namespace Tessera::sparse
