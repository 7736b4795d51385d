#pragma once
/// \file
/// Rows that are ordered sums of scaled rows: row i of C is an epilogue of the sum over the entries of row i
/// of a left operand, in storage order and from zero, of factor() times row source() of a right operand
/// (operands.hpp). Every entry sums as Gustavson's loop adds it, so all back ends and methods agree bitwise.
///
///     row_merge(space, left, right, epilogue, shape)          C, columns ascending by the epilogue's keys
///
/// Where the same product is wanted again, its search is kept and only numbers are summed:
///
///     product_plan(space, left, right, epilogue, shape, C)    symbolic: where each product goes
///     refresh_merge(space, left, right, epilogue, plan, C, value)     numeric: the values of C
///
/// With an epilogue that is Masked, C may be another pattern than the product's: products beside it are left
/// out, and what the product lacks is the epilogue of zero.
///
/// Also R (A B) as one operation, R = P^T, which never brings A B together:
///
///     chain_product(space, operands, plan)               plan: what its refreshes keep; null: nothing
///     refresh_chain_product(space, operands, plan, C)
#include "core/parallel.hpp"
#include "sparse/engine/row_merge/chain_plan.hpp"
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::sparse {

/// Declared for each back end by its own header; one that is missing does not compile.
template <class Space>
struct RowMerge;

template <class Space, class Left, class Right, class Epilogue = PlainSums>
Csr<double, Space> row_merge(Space const& space, Left const& left, Right const& right,
                             Epilogue const& epilogue = {}, MergeShape const& shape = {}) {
  return RowMerge<Space>::run(space, left, right, epilogue, shape);
}

/// \throws core::OutOfMemory
template <class Space, class Left, class Right, class Epilogue>
ProductPlan<Space> product_plan(Space const& space, Left const& left, Right const& right,
                                Epilogue const& epilogue, MergeShape const& shape, CsrView<double> C) {
  auto plan = RowMerge<Space>::plan(space, left, right, epilogue, shape, C);
  plan.shape = shape;
  return plan;
}

/// Bitwise what row_merge gives; by row_merge where no slots were found. C's own values are not read.
template <class Space, class Left, class Right, class Epilogue>
void refresh_merge(Space const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                   ProductPlan<Space> const& plan, CsrView<double> C, double* value) {
  if (plan.found) return RowMerge<Space>::refresh(space, left, right, epilogue, plan, C, value);
  auto const merged = row_merge(space, left, right, epilogue, plan.shape);
  core::for_each(space, C.rows,
                 PickEntriesBody<Epilogue>{merged.view(), C, epilogue, plan.shape.width, value});
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
