#pragma once
/// \file
/// Rows that are ordered sums of scaled rows: row i of C is an epilogue of the sum over the entries k of row
/// i of a left operand, in storage order and from zero, of factor(k) times row source(k) of a right operand
/// (row_merge_operands.hpp). Every entry sums as Gustavson's loop adds it, so all back ends and methods agree
/// bitwise. In one pass:
///
///     row_merge(space, left, right, epilogue, shape)     C, columns ascending by the epilogue's keys
///
/// or values only, on the same pattern, through a kept slot map:
///
///     slot_map(space, left, right, epilogue, shape, C)   where each product goes
///     refresh_merge(space, left, right, epilogue, shape, slots, C)
///
/// Also R (A B) as one operation, R = P^T, which never brings A B together:
///
///     chain_product(space, operands, plan)               plan: what its refreshes keep; null: nothing
///     refresh_chain_product(space, operands, plan, C)
#include "sparse/engine/row_merge/chain_plan.hpp"
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/engine/row_merge/slot_map.hpp"

namespace Tessera::sparse {

/// Declared for each back end by its own header; one that is missing does not compile.
template <class Space>
struct RowMerge;

template <class Space, class Left, class Right, class Epilogue = PlainSums>
Csr<double, Space> row_merge(Space const& space, Left const& left, Right const& right,
                             Epilogue const& epilogue = {}, MergeShape const& shape = {}) {
  return RowMerge<Space>::run(space, left, right, epilogue, shape);
}

template <class Space, class Left, class Right, class Epilogue>
SlotMap<Space> slot_map(Space const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                        MergeShape const& shape, CsrView<double> C) {
  return RowMerge<Space>::slots(space, left, right, epilogue, C, shape);
}

/// Bitwise what row_merge gives; by row_merge where no slots were found.
template <class Space, class Left, class Right, class Epilogue>
void refresh_merge(Space const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                   MergeShape const& shape, SlotMap<Space> const& slots, Csr<double, Space>& C) {
  RowMerge<Space>::refresh(space, left, right, epilogue, shape, slots, C);
}

template <class Space>
Csr<double, Space> chain_product(Space const& space, ChainOperands<Space> const& operands,
                                 ChainPlan<Space>* plan) {
  return RowMerge<Space>::chain(space, operands, plan);
}

template <class Space>
void refresh_chain_product(Space const& space, ChainOperands<Space> const& operands,
                           ChainPlan<Space> const& plan, Csr<double, Space>& C) {
  RowMerge<Space>::refresh_chain(space, operands, plan, C);
}

}  // namespace Tessera::sparse

#include "sparse/engine/row_merge/row_merge_host.hpp"
#if defined(__CUDACC__)
#include "sparse/engine/row_merge/row_merge_cuda.cuh"
#endif
