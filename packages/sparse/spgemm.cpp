#include "sparse/spgemm_body.hpp"

namespace Tessera::sparse {

template Csr<double, InstanceSpace> spgemm(InstanceSpace const&, CsrView<double>, CsrView<double>,
                                           SpgemmMethod);
template Csr<double, InstanceSpace> spgemm_symbolic(InstanceSpace const&, CsrView<double>, CsrView<double>,
                                                    SpgemmMethod);
template Csr<double, InstanceSpace> spgemm_chain(InstanceSpace const&, ChainOperands<InstanceSpace> const&,
                                                 SpgemmMethod, ChainPlan<InstanceSpace>*);
template void refresh_chain(InstanceSpace const&, ChainOperands<InstanceSpace> const&, SpgemmMethod,
                            ChainPlan<InstanceSpace> const&, Csr<double, InstanceSpace>&);

}  // namespace Tessera::sparse
