#pragma once
/// \file
/// C = A B and R (A B) for matrices of this rank.
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::sparse {

enum class SpgemmMethod {
  hash,  ///< the engine's merges (engine/row_merge.hpp)
  esc  ///< expand, sort, compress (Bell, Dalton, Olson 2012, section 3.3), in row slices of bounded workspace
};

/// Columns ascend in each row; structural zeros are kept. Every entry is the sum over k in A's storage order,
/// as Gustavson's loop adds it, so both methods and both back ends agree bitwise. \throws core::InvalidInput
/// when A.columns != B.rows
template <class T, class Space>
Csr<T, Space> spgemm(Space const& space, CsrView<T> A, CsrView<T> B,
                     SpgemmMethod method = SpgemmMethod::hash);

/// The pattern of A B, of which no values are read; the result's are there to be set.
template <class T, class Space>
Csr<T, Space> spgemm_symbolic(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method);

/// R (A B) as two calls of spgemm give it. plan: what refreshes keep; null: nothing is kept.
template <class Space>
Csr<double, Space> spgemm_chain(Space const& space, ChainOperands<Space> const& operands, SpgemmMethod method,
                                ChainPlan<Space>* plan);

/// New values of P, R, A and B on the same patterns into C: bitwise what spgemm_chain would give.
template <class Space>
void refresh_chain(Space const& space, ChainOperands<Space> const& operands, SpgemmMethod method,
                   ChainPlan<Space> const& plan, Csr<double, Space>& C);

}  // namespace Tessera::sparse
