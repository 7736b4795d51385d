#pragma once
/// \file
/// Operands of R (A B), R = P^T, and what its refreshes keep.
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/engine/row_merge/slot_map.hpp"
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
  SlotMap<Host> inner;                ///< of A B
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

/// The patterns of R (A B) in blocks, from which values follow; CUDA only.
template <class Space>
struct BlockChain {
  Array<Offset, Space> B_offsets;  ///< blocks of each row of B
  Array<Index, Space> B_block;
  Array<Index, Space> groups;       ///< rows of A from which on rows have one pattern; their number
  Array<Offset, Space> AB_offsets;  ///< of nodes
  Array<Index, Space> AB_block;     ///< ascending in each node
  Index largest_group = 0;          ///< blocks of A B in a group of rows
  Index longest = 0;                ///< blocks in a row of C
  std::size_t bytes() const {
    return B_offsets.bytes() + B_block.bytes() + groups.bytes() + AB_offsets.bytes() + AB_block.bytes();
  }
};

/// In blocks their patterns, else where rows of A B begin and the slots of both products.
template <>
struct ChainPlan<Cuda> {
  bool found = false;
  BlockChain<Cuda> blocks;
  Array<Offset, Cuda> offsets;
  SlotMap<Cuda> inner, outer;
  std::size_t bytes() const { return blocks.bytes() + offsets.bytes() + inner.bytes() + outer.bytes(); }
};

}  // namespace Tessera::sparse
