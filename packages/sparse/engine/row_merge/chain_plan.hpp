#pragma once
/// \file
/// Operands of R (A B), R = P^T, and what its refreshes keep: the plans of both products.
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::sparse {

/// Rows that belong to one node and have one pattern, and columns that come together in each row.
struct BlockShape {
  int rows = 1, width = 1;
};

/// blocks: rows of P, and columns of P and B.
template <class Space>
struct ChainOperands {
  CsrView<double> P;
  Transposed<double, Space> const& R;
  CsrView<double> A, B;
  BlockShape blocks{};
};

/// Not `found`: C is made anew.
template <class Space>
struct ChainPlan {
  bool found = false;
  std::size_t entries = 0;       ///< of A B
  Array<Offset, Space> offsets;  ///< of rows of A B; empty where plans tell them
  ProductPlan<Space> inner, outer;
  std::size_t bytes() const { return offsets.bytes() + inner.bytes() + outer.bytes(); }
};

}  // namespace Tessera::sparse
