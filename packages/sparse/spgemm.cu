#include "sparse/spgemm_body.hpp"

namespace Tessera::sparse {

template Csr<double, Cuda> spgemm(Cuda const&, CsrView<double>, CsrView<double>, SpgemmMethod);
template Csr<double, Cuda> spgemm_symbolic(Cuda const&, CsrView<double>, CsrView<double>, SpgemmMethod);
template Csr<double, Cuda> spgemm_chain(Cuda const&, ChainOperands<Cuda> const&, SpgemmMethod,
                                        ChainPlan<Cuda>*);
template void refresh_chain(Cuda const&, ChainOperands<Cuda> const&, SpgemmMethod, ChainPlan<Cuda> const&,
                            Csr<double, Cuda>&);

}  // namespace Tessera::sparse
