#include "sparse/spgemm_driver.hpp"

namespace Tessera::sparse {

#define TESSERA_INSTANTIATE(T)                                                                           \
  template Csr<T, Cuda> spgemm_symbolic(Cuda const&, CsrView<T>, CsrView<T>, SpgemmMethod);              \
  template void spgemm_numeric(Cuda const&, CsrView<T>, CsrView<T>, Csr<T, Cuda>&, SpgemmMethod);        \
  template Csr<T, Cuda> spgemm(Cuda const&, CsrView<T>, CsrView<T>, SpgemmMethod);                       \
  template ChainProduct<T, Cuda> spgemm_chain(Cuda const&, CsrView<T>, Transposed<T, Cuda> const&,       \
                                              CsrView<T>, CsrView<T>, SpgemmMethod, RefreshPreparation); \
  template void refresh_chain(Cuda const&, CsrView<T>, Transposed<T, Cuda>&, CsrView<T>, CsrView<T>,     \
                              SpgemmMethod, ChainPlan<T, Cuda>&, Csr<T, Cuda>&);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse
