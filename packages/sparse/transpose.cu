#include "sparse/transpose_body.hpp"

namespace Tessera::sparse {

template Transposed<double, Cuda> transpose(Cuda const&, CsrView<double>);
template Transposed<float, Cuda> transpose(Cuda const&, CsrView<float>);
template void refresh_transpose(Cuda const&, CsrView<double>, Transposed<double, Cuda>&);
template void refresh_transpose(Cuda const&, CsrView<float>, Transposed<float, Cuda>&);

}  // namespace Tessera::sparse
