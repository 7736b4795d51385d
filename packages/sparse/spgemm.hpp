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

/// The pattern of A B. Values of A and B are not read, and values of the result are not set.
template <class T, class Space>
Csr<T, Space> spgemm_symbolic(Space const& space, CsrView<T> A, CsrView<T> B, SpgemmMethod method);

/// R (A B), bitwise that of two calls of spgemm. plan: kept for refreshes; null: not kept.
template <class Space>
Csr<double, Space> spgemm_chain(Space const& space, ChainOperands<Space> const& operands, SpgemmMethod method,
                                ChainPlan<Space>* plan);

/// Computes C for new values of P, R, A and B on the same patterns, bitwise as spgemm_chain.
template <class Space>
void refresh_chain(Space const& space, ChainOperands<Space> const& operands, SpgemmMethod method,
                   ChainPlan<Space> const& plan, Csr<double, Space>& C);

}  // namespace Tessera::sparse
