#pragma once
/// \file
/// The choice of the method.
#include "sparse/spgemm_esc_body.hpp"
#include "sparse/spgemm_hash_body.hpp"
#include "sparse/spgemm_hash_cuda.hpp"
#include "sparse/spgemm_hash_host.hpp"

namespace Tessera::sparse {

template <class T>
void validate_inner_sizes(CsrView<T> const& A, CsrView<T> const& B) {
  TESSERA_VALIDATE(A.columns == B.rows, "matrix product of ", A.rows, " x ", A.columns, " by ", B.rows, " x ",
                   B.columns, " (the inner sizes differ); check which matrices are multiplied");
}

template <class T, class Space>
Csr<T, Space> spgemm_symbolic(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method) {
  validate_inner_sizes(A, B);
  return method == SpgemmMethod::esc ? esc::symbolic(space, A, B) : hash::symbolic(space, A, B);
}

template <class T, class Space>
void spgemm_numeric(Space const& space, CsrView<T> A, CsrView<T> B, Csr<T, Space>& C, SpgemmMethod method) {
  TESSERA_EXPECT(A.columns == B.rows && C.rows == A.rows && C.columns == B.columns);
  if (method == SpgemmMethod::esc) {
    esc::numeric(space, A, B, C);
  } else {
    hash::numeric(space, A, B, C);
  }
}

template <class T, class Space>
Csr<T, Space> product_in_phases(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method) {
  auto C = spgemm_symbolic(space, A, B, method);
  spgemm_numeric(space, A, B, C, method);
  return C;
}

template <class T, class Space>
ChainProduct<T, Space> chain_in_phases(Space const& space, CsrView<T> R, CsrView<T> A, CsrView<T> B,
                                       SpgemmMethod method, RefreshPreparation preparation) {
  ChainProduct<T, Space> result;
  auto AB = spgemm(space, A, B, method);
  result.product = spgemm(space, R, AB.view(), method);
  if (preparation != RefreshPreparation::none) {
    AB.value = {};
    result.plan.inner = std::move(AB);
  }
  return result;
}

template <class T, class Space>
void refresh_chain_in_phases(Space const& space, CsrView<T> R, CsrView<T> A, CsrView<T> B,
                             SpgemmMethod method, ChainPlan<T, Space>& plan, Csr<T, Space>& product) {
  auto& inner = plan.inner;
  inner.value = Array<T, Space>(space, inner.column.size());
  spgemm_numeric(space, A, B, inner, method);
  spgemm_numeric(space, R, inner.view(), product, method);
  inner.value = {};
}

namespace hash {

template <class T, class Space>
Csr<T, Space> product(Space const& space, CsrView<T> A, CsrView<T> B) {
  return product_in_phases(space, A, B, SpgemmMethod::hash);
}

template <class T, class Space>
ChainProduct<T, Space> chain(Space const& space, CsrView<T> /*P*/, Transposed<T, Space> const& R,
                             CsrView<T> A, CsrView<T> B, RefreshPreparation preparation) {
  return chain_in_phases(space, R.matrix.view(), A, B, SpgemmMethod::hash, preparation);
}

template <class T, class Space>
void refresh_chain(Space const& space, CsrView<T> P, Transposed<T, Space>& R, CsrView<T> A, CsrView<T> B,
                   ChainPlan<T, Space>& plan, Csr<T, Space>& product) {
  refresh_transpose(space, P, R);
  refresh_chain(space, R.matrix.view(), A, B, plan, product);
}

}  // namespace hash

template <class T, class Space>
Csr<T, Space> spgemm(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method) {
  validate_inner_sizes(A, B);
  return method == SpgemmMethod::esc ? product_in_phases(space, A, B, method) : hash::product(space, A, B);
}

template <class T, class Space>
ChainProduct<T, Space> spgemm_chain(Space const& space, CsrView<T> P, Transposed<T, Space> const& R,
                                    CsrView<T> A, CsrView<T> B, SpgemmMethod method,
                                    RefreshPreparation preparation) {
  validate_inner_sizes(A, B);
  TESSERA_EXPECT(R.matrix.columns == A.rows && P.rows == A.rows);
  return method == SpgemmMethod::esc ? chain_in_phases(space, R.matrix.view(), A, B, method, preparation)
                                     : hash::chain(space, P, R, A, B, preparation);
}

template <class T, class Space>
void refresh_chain(Space const& space, CsrView<T> P, Transposed<T, Space>& R, CsrView<T> A, CsrView<T> B,
                   SpgemmMethod method, ChainPlan<T, Space>& plan, Csr<T, Space>& product) {
  if (method == SpgemmMethod::esc) {
    refresh_transpose(space, P, R);
    refresh_chain_in_phases(space, R.matrix.view(), A, B, method, plan, product);
  } else {
    hash::refresh_chain(space, P, R, A, B, plan, product);
  }
}

}  // namespace Tessera::sparse
