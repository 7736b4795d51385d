#include "sparse/spgemm.hpp"

#include "core/error.hpp"
#include "sparse/engine/row_merge/expand_sort_compress.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"

namespace Tessera::sparse {

template <class T>
void validate_inner_sizes(CsrView<T> const& A, CsrView<T> const& B) {
  TESSERA_VALIDATE(A.columns == B.rows, "matrix product of ", A.rows, " x ", A.columns, " by ", B.rows, " x ",
                   B.columns, " (the inner sizes differ); check which matrices are multiplied");
}

template <class T, class Space>
Csr<T, Space> spgemm(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method) {
  validate_inner_sizes(A, B);
  return method == SpgemmMethod::esc ? esc::merge(space, CsrFactors{A}, CsrSources<>{B})
                                     : row_merge(space, CsrFactors{A}, CsrSources<>{B});
}

template <class T, class Space>
Csr<T, Space> spgemm_symbolic(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method) {
  validate_inner_sizes(A, B);
  return method == SpgemmMethod::esc ? esc::merge(space, UnitFactors{A}, UnitSources{B})
                                     : row_merge(space, UnitFactors{A}, UnitSources{B});
}

template <class Space>
Csr<double, Space> spgemm_chain(Space const& space, ChainOperands<Space> const& operands, SpgemmMethod method,
                                ChainPlan<Space>* plan) {
  auto const R = operands.R.matrix.view();
  validate_inner_sizes(operands.A, operands.B);
  TESSERA_EXPECT(R.columns == operands.A.rows && operands.P.rows == operands.A.rows);
  if (method == SpgemmMethod::hash) return chain_product(space, operands, plan);
  return spgemm(space, R, spgemm(space, operands.A, operands.B, method).view(), method);
}

template <class Space>
void refresh_chain(Space const& space, ChainOperands<Space> const& operands, SpgemmMethod method,
                   ChainPlan<Space> const& plan, Csr<double, Space>& C) {
  if (method == SpgemmMethod::hash) return refresh_chain_product(space, operands, plan, C);
  C.value = std::move(spgemm_chain<Space>(space, operands, method, nullptr).value);
}

template Csr<double, InstanceSpace> spgemm(InstanceSpace const&, CsrView<double>, CsrView<double>,
                                           SpgemmMethod);
template Csr<double, InstanceSpace> spgemm_symbolic(InstanceSpace const&, CsrView<double>, CsrView<double>,
                                                    SpgemmMethod);
template Csr<double, InstanceSpace> spgemm_chain(InstanceSpace const&, ChainOperands<InstanceSpace> const&,
                                                 SpgemmMethod, ChainPlan<InstanceSpace>*);
template void refresh_chain(InstanceSpace const&, ChainOperands<InstanceSpace> const&, SpgemmMethod,
                            ChainPlan<InstanceSpace> const&, Csr<double, InstanceSpace>&);

}  // namespace Tessera::sparse
