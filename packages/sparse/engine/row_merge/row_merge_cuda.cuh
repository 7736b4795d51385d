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
                               Epilogue const& epilogue, MergeShape const& shape) {
    if constexpr (Right::single && Right::fixed_width != 1) {
      if (shape.in_blocks()) {
        auto nodes = hash::merge(space, detail::TogetherFactors<Left>{left, shape.rows},
                                 detail::BlockColumns<Right>{right}, detail::SameOrder<Epilogue>(epilogue));
        auto C = detail::expanded(space, nodes, shape);
        fill_blocks(
            space, left, right, epilogue,
            block_patterns(space, left, shape.rows, {std::move(nodes.offsets), std::move(nodes.column)}),
            shape.rows, left.rows(), C.value.data());
        return C;
      }
    }
    return hash::merge(space, left, right, epilogue);
  }

  template <class Left, class Right, class Epilogue>
  static ProductPlan<Cuda> plan(Cuda const& space, Left const& left, Right const& right,
                                Epilogue const& epilogue, MergeShape const& shape, CsrView<double> C) {
    if constexpr (Right::fixed_width != 1) {
      if (shape.in_blocks()) {
        ProductPlan<Cuda> plan;
        plan.found = true;
        auto const [rows, width] = shape;
        plan.blocks = block_patterns(space, left, rows, detail::block_rows(space, C, rows, width));
        if constexpr (!Right::single) plan.blocks.B = detail::block_rows(space, right.B, 1, width);
        return plan;
      }
    }
    return plan_of(space, left, right, epilogue, C);
  }

  template <class Left, class Right, class Epilogue>
  static void refresh(Cuda const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                      ProductPlan<Cuda> const& plan, CsrView<double> C, double* value) {
    if constexpr (Right::fixed_width != 1) {
      auto const [rows, width] = plan.shape;
      auto const fill = [&, rows = rows](auto const& from) {
        fill_blocks(space, left, from, epilogue, plan.blocks, rows, left.rows(), value);
      };
      if (plan.shape.in_blocks()) {
        if constexpr (Right::single) {
          return fill(right);
        } else {
          return fill(BlockSources{plan.blocks.of_B(), right.B.value, width});
        }
      }
    }
    sum_slots(space, left, right, epilogue, plan, C.offsets.data(), C.column.data(), value);
  }

  static Csr<double, Cuda> chain(Cuda const& space, ChainOperands<Cuda> const& of, ChainPlan<Cuda>* keep) {
    if (of.blocks.width > 1) {
      ChainPlan<Cuda> plan;
      auto C = find_chain_blocks(space, of, plan);
      fill_chain_blocks(space, of, plan, C);
      if (keep != nullptr) *keep = std::move(plan);
      return C;
    }
    CsrFactors const R{of.R.matrix.view()}, A{of.A};
    CsrSources<> const B{of.B};
    auto AB = hash::merge(space, A, B, PlainSums{});
    auto C = hash::merge(space, R, CsrSources<>{AB.view()}, PlainSums{});
    if (keep != nullptr) *keep = chain_plan(space, of, AB, C.view());
    return C;
  }

  /// What cannot be summed through slots is made anew.
  static void refresh_chain(Cuda const& space, ChainOperands<Cuda> const& of, ChainPlan<Cuda> const& plan,
                            Csr<double, Cuda>& C) {
    if (of.blocks.width > 1) return fill_chain_blocks(space, of, plan, C);
    if (!plan.found) {
      C.value = std::move(chain(space, of, nullptr).value);
      return;
    }
    Array<double, Cuda> value(space, plan.inner.entries);
    sum_slots(space, CsrFactors{of.A}, CsrSources<>{of.B}, PlainSums{}, plan.inner, plan.offsets.data(),
              nullptr, value.data());
    CsrView<double> const AB{of.A.rows, of.B.columns, plan.offsets.view(), {}, value.view()};
    sum_slots(space, CsrFactors{of.R.matrix.view()}, CsrSources<>{AB}, PlainSums{}, plan.outer,
              C.offsets.data(), nullptr, C.value.data());
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
    plan.offsets = std::move(AB.offsets);
    plan.found = true;
    return plan;
  }
};

}  // namespace Tessera::sparse
