#pragma once
/// \file
/// Operands of R (A B), R = P^T, and what its refreshes keep.
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::sparse {

/// blocks: rows of P that belong to one node and have one pattern, and columns of P and B, which come
/// together.
template <class Space>
struct ChainOperands {
  CsrView<double> P;
  Transposed<double, Space> const& R;
  CsrView<double> A, B;
  MergeShape blocks{};
};

/// Each back end has its own.
template <class Space>
struct ChainPlan;

/// Where each product goes; not `found`: C is made anew.
template <>
struct ChainPlan<Host> {
  bool found = false;
  ProductPlan<Host> inner;            ///< of A B
  Array<unsigned char, Host> length;  ///< blocks in rows of A B
  Array<Index, Host> first_outer;     ///< of each row of P, and the end
  Array<unsigned char, Host>
      outer;  ///< each product of P with A B, row by row of P: its slot in the row of C
  /// Those of block k of row i of P.
  unsigned char const* outer_of(Index i, Offset k) const {
    return outer.data() + first_outer[i] + k * length[i];
  }
  unsigned char* outer_of(Index i, Offset k) { return outer.data() + first_outer[i] + k * length[i]; }
  std::size_t bytes() const { return inner.bytes() + length.bytes() + first_outer.bytes() + outer.bytes(); }
};

/// Both products, and where rows of A B begin, unless in blocks.
template <>
struct ChainPlan<Cuda> {
  bool found = false;
  Array<Offset, Cuda> offsets;
  ProductPlan<Cuda> inner, outer;
  std::size_t bytes() const { return offsets.bytes() + inner.bytes() + outer.bytes(); }
};

}  // namespace Tessera::sparse
