#pragma once
/// \file
/// The patterns of R (A B) in blocks of columns on CUDA, merged by nodes: rows of B that belong to one node
/// have one pattern, so rows of A B that do are given one.
#include "sparse/engine/row_merge/block_product_cuda.cuh"
#include "sparse/engine/row_merge/chain_plan.hpp"
#include "sparse/engine/row_merge/hash_merge_cuda.cuh"
#include "sparse/engine/row_merge/node_patterns_cuda.cuh"

namespace Tessera::sparse {

/// C, values not set, and the plans of both products.
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
  auto result = detail::expanded(space, C, width, width);
  auto& inner = plan.inner.blocks;
  auto& outer = plan.outer.blocks;
  plan.found = true;
  plan.entries = AB.column.size() * rows * width;
  inner = block_patterns(space, A, rows, {std::move(AB.offsets), std::move(AB.column)}, rows, of.A.rows);
  inner.B = std::move(B);
  outer = block_patterns(space, R, width, {std::move(C.offsets), std::move(C.column)}, rows, of.A.rows);
  outer.B = {core::copied(space, inner.C.offsets.view(), space),
             core::copied(space, inner.C.block.view(), space)};
  outer.rows_of_B = rows;
  return result;
}

}  // namespace Tessera::sparse
