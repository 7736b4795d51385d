#pragma once
/// \file
/// Merges on CUDA; see row_merge.hpp.
#include <utility>

#include "sparse/engine/row_merge/block_product_cuda.cuh"
#include "sparse/engine/row_merge/chain_blocks_cuda.cuh"
#include "sparse/engine/row_merge/product_plan_cuda.cuh"
#include "sparse/engine/row_merge/row_merge.hpp"

namespace Tessera::sparse {

template <>
struct RowMerge<Cuda> {
  template <class Left, class Right, class Epilogue>
  static Csr<double, Cuda> run(Cuda const& space, Left const& left, Right const& right,
                               Epilogue const& epilogue, int rows) {
    if constexpr (Right::single && Right::fixed_width != 1) {
      auto nodes = hash::merge(space, detail::TogetherFactors<Left>{left, rows},
                               detail::BlockColumns<Right>{right}, detail::SameOrder<Epilogue>(epilogue));
      auto C = detail::expanded(space, nodes, rows, right.width());
      auto const plan = block_patterns(space, left, rows, {std::move(nodes.offsets), std::move(nodes.column)},
                                       rows, left.rows());
      fill_blocks(space, left, right, epilogue, plan, C.value.data());
      return C;
    } else {
      return hash::merge(space, left, right, epilogue);
    }
  }

  template <class Left, class Right, class Epilogue>
  static ProductPlan<Cuda> plan(Cuda const& space, Left const& left, Right const& right,
                                Epilogue const& epilogue, int rows, CsrView<double> C) {
    if constexpr (Right::fixed_width != 1) {
      ProductPlan<Cuda> plan;
      plan.found = true;
      plan.blocks = block_patterns(space, left, rows, detail::block_rows(space, C, rows, right.width()), rows,
                                   left.rows());
      if constexpr (!Right::single) plan.blocks.B = detail::block_rows(space, right.B, 1, right.width());
      return plan;
    } else {
      return plan_of(space, left, right, epilogue, C);
    }
  }

  template <class Left, class Right, class Epilogue>
  static void refresh(Cuda const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                      ProductPlan<Cuda> const& plan, CsrView<double> C, double* value) {
    if constexpr (Right::fixed_width == 1) {
      sum_slots(space, left, right, epilogue, plan, C.offsets.data(), C.column.data(), value);
    } else if constexpr (Right::single) {
      fill_blocks(space, left, right, epilogue, plan.blocks, value);
    } else {
      fill_blocks(space, left, BlockSources{plan.blocks.of_B(), right.B.value, right.width()}, epilogue,
                  plan.blocks, value);
    }
  }

  template <int Width>
  static CsrFactors rows_of(CsrView<double> R, int /*width*/) {
    return {R};
  }
  template <int Width>
  static Csr<double, Cuda> chain(Cuda const& space, ChainOperands<Cuda> const& of, ChainPlan<Cuda>* keep) {
    CsrFactors const A{of.A}, R{of.R.matrix.view()};
    ChainPlan<Cuda> plan;
    Csr<double, Cuda> C;
    if constexpr (Width == 1) {
      auto AB = hash::merge(space, A, CsrSources<>{of.B}, PlainSums{});
      C = hash::merge(space, R, CsrSources<>{AB.view()}, PlainSums{});
      if (keep != nullptr) plan = chain_plan(space, of, AB, C.view());
    } else {
      C = find_chain_blocks(space, of, plan);
      refresh_chain_product(space, of, plan, C);
    }
    if (keep != nullptr) *keep = std::move(plan);
    return C;
  }

 private:
  /// AB's columns ascend. No slots where rows are too long for them.
  static ChainPlan<Cuda> chain_plan(Cuda const& space, ChainOperands<Cuda> const& of, Csr<double, Cuda>& AB,
                                    CsrView<double> C) {
    ChainPlan<Cuda> plan;
    plan.inner = plan_of(space, CsrFactors{of.A}, CsrSources<>{of.B}, PlainSums{}, AB.view());
    if (!plan.inner.found) return {};
    plan.outer = plan_of(space, CsrFactors{of.R.matrix.view()}, CsrSources<>{AB.view()}, PlainSums{}, C);
    if (!plan.outer.found) return {};
    plan.entries = AB.column.size();
    plan.offsets = std::move(AB.offsets);
    plan.found = true;
    return plan;
  }
};

}  // namespace Tessera::sparse
