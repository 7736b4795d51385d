#pragma once
/// \file
/// The choice of the method.
#include "sparse/spgemm_esc_body.hpp"
#include "sparse/spgemm_hash_body.hpp"
#include "sparse/spgemm_hash_cuda.hpp"
#include "sparse/spgemm_hash_host.hpp"

namespace Tessera::sparse {

template <class T, class Space>
Csr<T, Space> spgemm_symbolic(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method) {
  TESSERA_VALIDATE(A.columns == B.rows, "matrix product of ", A.rows, " x ", A.columns, " by ", B.rows, " x ",
                   B.columns, " (the inner sizes differ); check which matrices are multiplied");
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
Csr<T, Space> spgemm(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method) {
  auto C = spgemm_symbolic(space, A, B, method);
  spgemm_numeric(space, A, B, C, method);
  return C;
}

}  // namespace Tessera::sparse
