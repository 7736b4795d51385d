#include "sparse/csr_body.hpp"

namespace Tessera::sparse {

#define TESSERA_INSTANTIATE(To, T)                                                  \
  template Csr<To, Cuda> copied<To>(Host const&, Csr<T, Host> const&, Cuda const&); \
  template Csr<To, Host> copied<To>(Cuda const&, Csr<T, Cuda> const&, Host const&); \
  template Csr<To, Cuda> copied<To>(Cuda const&, Csr<T, Cuda> const&, Cuda const&);
TESSERA_INSTANTIATE(double, double)
TESSERA_INSTANTIATE(double, float)
TESSERA_INSTANTIATE(float, double)
TESSERA_INSTANTIATE(float, float)
#undef TESSERA_INSTANTIATE

#define TESSERA_INSTANTIATE(T)                                      \
  template void extract_diagonal(Cuda const&, CsrView<T>, Span<T>); \
  template Index first_nonfinite_row(Cuda const&, CsrView<T>);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse
