#pragma once
/// \file
/// Merges on CUDA; see row_merge.hpp.
#include <utility>

#include "sparse/engine/row_merge/chain_blocks_cuda.cuh"
#include "sparse/engine/row_merge/row_merge.hpp"
#include "sparse/engine/row_merge/slot_map_cuda.cuh"

namespace Tessera::sparse {

template <>
struct RowMerge<Cuda> {
  template <class Left, class Right, class Epilogue>
  static Csr<double, Cuda> run(Cuda const& space, Left const& left, Right const& right,
                               Epilogue const& epilogue, MergeShape const& shape) {
    if constexpr (Right::single) {
      if (shape.in_blocks()) return merge_single_blocks(space, left, right, epilogue, shape);
    }
    return hash::merge(space, left, right, epilogue);
  }

  /// In blocks none are needed: the pattern tells them.
  template <class Left, class Right, class Epilogue>
  static SlotMap<Cuda> slots(Cuda const& space, Left const& left, Right const& right,
                             Epilogue const& epilogue, CsrView<double> C, MergeShape const& shape) {
    if (shape.in_blocks()) return {};
    return slots_of(space, left, right, epilogue, C);
  }

  template <class Left, class Right, class Epilogue>
  static void refresh(Cuda const& space, Left const& left, Right const& right, Epilogue const& epilogue,
                      MergeShape const& shape, SlotMap<Cuda> const& slots, Csr<double, Cuda>& C) {
    if constexpr (Right::single) {
      if (shape.in_blocks()) return fill_single_blocks(space, left, right, epilogue, C);
    }
    if (slots.found)
      return sum_slots(space, left, right, epilogue, slots, C.offsets.data(), C.column.data(),
                       C.value.data());
    C.value = std::move(run(space, left, right, epilogue, shape).value);
  }

  static Csr<double, Cuda> chain(Cuda const& space, ChainOperands<Cuda> const& of, ChainPlan<Cuda>* keep) {
    if (of.blocks.width > 1) {
      BlockChain<Cuda> blocks;
      auto C = find_chain_blocks(space, of, blocks);
      fill_chain_blocks(space, of, blocks, C);
      if (keep != nullptr) keep->blocks = std::move(blocks);
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
    if (of.blocks.width > 1) return fill_chain_blocks(space, of, plan.blocks, C);
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
    plan.inner = slots_of(space, CsrFactors{of.A}, CsrSources<>{of.B}, PlainSums{}, AB.view());
    if (!plan.inner.found) return {};
    plan.outer = slots_of(space, CsrFactors{of.R.matrix.view()}, CsrSources<>{AB.view()}, PlainSums{}, C);
    if (!plan.outer.found) return {};
    plan.offsets = std::move(AB.offsets);
    plan.found = true;
    return plan;
  }
};

}  // namespace Tessera::sparse
