#include "sparse/csr_body.hpp"

namespace Tessera::sparse {

template Csr<double, Host> copied<double>(Host const&, Csr<double, Host> const&, Host const&);
template Csr<float, Host> copied<float>(Host const&, Csr<double, Host> const&, Host const&);
template Csr<double, Host> copied<double>(Host const&, Csr<float, Host> const&, Host const&);
template Csr<float, Host> copied<float>(Host const&, Csr<float, Host> const&, Host const&);

#define TESSERA_INSTANTIATE(T)                                      \
  template void extract_diagonal(Host const&, CsrView<T>, Span<T>); \
  template Index first_nonfinite_row(Host const&, CsrView<T>);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse
