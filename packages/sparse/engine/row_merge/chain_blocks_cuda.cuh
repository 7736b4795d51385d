#pragma once
/// \file
/// R (A B) in blocks of columns on CUDA. Patterns are merged by nodes: rows of B that belong to one node have
/// one pattern, so rows of A B that do are given one. Then values, of one product after the other
/// (block_product_cuda.cuh).
#include "sparse/engine/row_merge/block_product_cuda.cuh"
#include "sparse/engine/row_merge/chain_plan.hpp"
#include "sparse/engine/row_merge/hash_merge_cuda.cuh"
#include "sparse/engine/row_merge/node_patterns_cuda.cuh"

namespace Tessera::sparse {

/// The patterns of B, A B and C in blocks, and C, values not set.
inline Csr<double, Cuda> find_chain_blocks(Cuda const& space, ChainOperands<Cuda> const& of,
                                           ChainPlan<Cuda>& plan) {
  auto const [rows, width] = of.blocks;
  auto const columns = of.B.columns / width;
  CsrFactors const R{of.R.matrix.view()}, A{of.A};
  auto B = detail::block_rows(space, of.B, 1, width);
  auto AB =
      hash::merge(space, detail::NodeFactors{of.A, rows, of.A.rows},
                  UnitSources{{{of.B.rows, columns, B.offsets.view(), B.block.view(), {}}}}, PlainSums{});
  auto C = hash::merge(space, detail::AggregateFactors{R.A, width, rows},
                       UnitSources{{{of.A.rows / rows, columns, AB.offsets.view(), AB.column.view(), {}}}},
                       PlainSums{});
  auto result = detail::expanded(space, C, {width, width});
  plan.inner.blocks = block_patterns(space, A, rows, {std::move(AB.offsets), std::move(AB.column)});
  plan.inner.blocks.B = std::move(B);
  plan.outer.blocks = block_patterns(space, R, width, {std::move(C.offsets), std::move(C.column)});
  return result;
}

/// The values of C.
inline void fill_chain_blocks(Cuda const& space, ChainOperands<Cuda> const& of, ChainPlan<Cuda> const& plan,
                              Csr<double, Cuda>& C) {
  auto const [rows, width] = of.blocks;
  auto const& inner = plan.inner.blocks;
  Array<double, Cuda> AB(space, inner.C.block.size() * rows * width);
  fill_blocks(space, CsrFactors{of.A}, BlockSources{inner.of_B(), of.B.value, width}, PlainSums{}, inner,
              rows, of.A.rows, AB.data());
  fill_blocks(space, CsrFactors{of.R.matrix.view()}, BlockSources{inner.of_C(), AB.view(), width},
              PlainSums{}, plan.outer.blocks, rows, of.A.rows, C.value.data());
}

}  // namespace Tessera::sparse
