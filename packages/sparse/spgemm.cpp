#include "sparse/spgemm_driver.hpp"

namespace Tessera::sparse {

#define TESSERA_INSTANTIATE(T)                                                                           \
  template Csr<T, Host> spgemm_symbolic(Host const&, CsrView<T>, CsrView<T>, SpgemmMethod);              \
  template void spgemm_numeric(Host const&, CsrView<T>, CsrView<T>, Csr<T, Host>&, SpgemmMethod);        \
  template Csr<T, Host> spgemm(Host const&, CsrView<T>, CsrView<T>, SpgemmMethod);                       \
  template ChainProduct<T, Host> spgemm_chain(Host const&, CsrView<T>, Transposed<T, Host> const&,       \
                                              CsrView<T>, CsrView<T>, SpgemmMethod, RefreshPreparation); \
  template void refresh_chain(Host const&, CsrView<T>, Transposed<T, Host>&, CsrView<T>, CsrView<T>,     \
                              SpgemmMethod, ChainPlan<T, Host>&, Csr<T, Host>&);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse
