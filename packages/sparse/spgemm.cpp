#include "sparse/spgemm_body.hpp"

namespace Tessera::sparse {

template Csr<double, Host> spgemm(Host const&, CsrView<double>, CsrView<double>, SpgemmMethod);
template Csr<double, Host> spgemm_symbolic(Host const&, CsrView<double>, CsrView<double>, SpgemmMethod);
template Csr<double, Host> spgemm_chain(Host const&, ChainOperands<Host> const&, SpgemmMethod,
                                        ChainPlan<Host>*);
template void refresh_chain(Host const&, ChainOperands<Host> const&, SpgemmMethod, ChainPlan<Host> const&,
                            Csr<double, Host>&);

}  // namespace Tessera::sparse
