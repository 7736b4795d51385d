#pragma once
/// \file
/// Rows that are ordered sums of scaled rows: row i of C is an epilogue of the sum over the entries of row i
/// of a left operand, in storage order and from zero, of factor() times row source() of a right operand
/// (operands.hpp). Every entry sums as Gustavson's loop adds it, so all back ends and methods agree bitwise.
///
///     row_merge(space, left, right, epilogue, rows)           C, columns ascending by the epilogue's keys
///
/// A plan keeps the search of a product, so that new values need sums only:
///
///     product_plan(space, left, right, epilogue, rows, C)     symbolic: the target of each product
///     refresh_merge(space, left, right, epilogue, plan, C, value)     numeric: the values of C
///
/// With a Masked epilogue, C may have another pattern than the product. Products outside of C are left out;
/// an entry of C without products is the epilogue of zero.
///
/// Also R (A B), R = P^T:
///
///     chain_product(space, operands, plan)               plan: kept for refreshes; null: not kept
///     refresh_chain_product(space, operands, plan, C)
#include "core/parallel.hpp"
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::sparse {

/// Each back end specialises this in its own header; a missing one does not compile.
template <class Space>
struct RowMerge;

/// rows: consecutive rows of a node, which get one pattern in C if C is in blocks.
template <class Space, class Left, class Right, class Epilogue = PlainSums>
Csr<double, Space> row_merge(Space const& space, Left const& left, Right const& right,
                             Epilogue const& epilogue = {}, int rows = 1) {
  return RowMerge<Space>::run(space, left, right, epilogue, rows);
}

/// \throws core::OutOfMemory
template <class Space, class Left, class Right, class Epilogue>
ProductPlan<Space> product_plan(Space const& space, Left const& left, Right const& right,
                                Epilogue const& epilogue, int rows, CsrView<double> C) {
  auto plan = RowMerge<Space>::plan(space, left, right, epilogue, rows, C);
  plan.rows = rows;
  return plan;
}

/// Bitwise the values of row_merge, by row_merge itself if the plan has no scatter indices. C's own values
/// are not read.
template <class Space, class Left, class Right, class Epilogue>
void refresh_merge(Space const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                   ProductPlan<Space> const& plan, CsrView<double> C, double* value) {
  if (plan.found) return RowMerge<Space>::refresh(space, left, right, epilogue, plan, C, value);
  auto const merged = row_merge(space, left, right, epilogue, plan.rows);
  core::for_each(space, C.rows, PickEntriesBody<Epilogue>{merged.view(), C, epilogue, right.width(), value});
}

template <class Space>
Csr<double, Space> chain_product(Space const& space, ChainOperands<Space> const& operands,
                                 ChainPlan<Space>* plan) {
  return with_width(operands.blocks.width, [&](auto width) {
    return RowMerge<Space>::template chain<decltype(width)::value>(space, operands, plan);
  });
}

/// Bitwise the values of chain_product, by chain_product itself if the plan was not found.
template <class Space>
void refresh_chain_product(Space const& space, ChainOperands<Space> const& of, ChainPlan<Space> const& plan,
                           Csr<double, Space>& C) {
  if (!plan.found) {
    C.value = std::move(chain_product<Space>(space, of, nullptr).value);
    return;
  }
  Array<double, Space> value(space, plan.entries);
  CsrView<double> const AB{of.A.rows, of.B.columns, plan.offsets.view(), {}, value.view()};
  int const w = of.blocks.width;
  with_width(w, [&](auto width) {
    constexpr int Width = decltype(width)::value;
    RowMerge<Space>::refresh(space, CsrFactors{of.A}, CsrSources<Width>{of.B, w}, PlainSums{}, plan.inner, AB,
                             value.data());
    RowMerge<Space>::refresh(space, RowMerge<Space>::template rows_of<Width>(of.R.matrix.view(), w),
                             CsrSources<Width>{AB, w}, PlainSums{}, plan.outer, C.view(), C.value.data());
  });
}

}  // namespace Tessera::sparse

#include "sparse/engine/row_merge/row_merge_host.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "sparse/engine/row_merge/row_merge_cuda.cuh"
#endif
