#include "sparse/spmv_body.hpp"

namespace Tessera::sparse {

#define TESSERA_INSTANTIATE(Matrix, T)                                \
  template void spmv(Cuda const&, Matrix<T>, Span<T const>, Span<T>); \
  template void residual(Cuda const&, Matrix<T>, Span<T const>, Span<T const>, Span<T>);
TESSERA_INSTANTIATE(CsrView, double)
TESSERA_INSTANTIATE(CsrView, float)
TESSERA_INSTANTIATE(SellView, double)
TESSERA_INSTANTIATE(SellView, float)

}  // namespace Tessera::sparse
