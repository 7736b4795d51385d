#pragma once
/// \file
/// Plans of merges: for each product of a row, in the order in which sums run, the entry of the row of C that
/// it adds to. New values of the operands then need no search. C has the merge's own pattern or another one,
/// a mask; a product outside of the mask has a target after the row's last entry.
#include "sparse/engine/row_merge/operands.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::sparse {

/// Each back end has its own. Not `found` if a row of C is too long for scatter indices.
template <class Space>
struct ProductPlan;

/// A byte for each product. If rows of the right operand are single, products are the left operand's entries.
template <>
struct ProductPlan<Host> {
  int rows = 1;  ///< of a node
  bool found = false;
  Index most = 0;            ///< most products of a row
  Array<Index, Host> first;  ///< first product of each row, and the end; empty if products are entries
  Array<unsigned char, Host> scatter;
  std::size_t bytes() const { return first.bytes() + scatter.bytes(); }
};

/// A pattern in blocks: the `rows` rows of a node have the same blocks. Numbers lie row by row.
struct NodeBlocks {
  Span<Offset const> offsets;  ///< of nodes
  Span<Index const> block;
  int rows;
  TESSERA_HD Index const* blocks(Index row) const { return block.data() + offsets[row / rows]; }
  TESSERA_HD Index size(Index row) const {
    return static_cast<Index>(offsets[row / rows + 1] - offsets[row / rows]);
  }
  /// Blocks before this row's.
  TESSERA_HD Offset before(Index row) const {
    return offsets[row / rows] * rows + static_cast<Offset>(row % rows) * size(row);
  }
};

/// The blocks of columns of each row, or of each node.
template <class Space>
struct BlockRows {
  Array<Offset, Space> offsets;
  Array<Index, Space> block;
  NodeBlocks view(int rows) const { return {offsets.view(), block.view(), rows}; }
  std::size_t bytes() const { return offsets.bytes() + block.bytes(); }
};

/// A product in blocks; CUDA only.
template <class Space>
struct BlockPatterns {
  int rows = 1;           ///< of a node in C
  int rows_per_node = 1;  ///< rows of the right operand, among its first `own`, that have one pattern
  Index own = 0;
  BlockRows<Space> C;  ///< of nodes
  /// First row of each group of a node's rows with one pattern, then the number of rows.
  Array<Index, Space> groups;
  BlockRows<Space> B;  ///< of rows, or of `rows_of_B` rows each; for right operands without them
  int rows_of_B = 1;
  NodeBlocks of_B() const { return B.view(rows_of_B); }
  NodeBlocks of_C() const { return C.view(rows); }
  std::size_t bytes() const { return C.bytes() + groups.bytes() + B.bytes(); }
};

/// The patterns for blocks of columns, else scatter indices.
template <>
struct ProductPlan<Cuda> {
  int rows = 1;  ///< of a node
  bool found = false;
  BlockPatterns<Cuda> blocks;
  std::size_t entries = 0;  ///< of C
  /// Rows whose scatter indices are interleaved: product p of row i at first[i / chunk] + p * chunk + i %
  /// chunk.
  int chunk = 1;
  Array<Offset, Cuda> first;          ///< chunks + 1
  Array<unsigned char, Cuda> narrow;  ///< scatter indices if all rows of C have fewer than 256 entries
  Array<unsigned short, Cuda> wide;   ///< scatter indices if some rows have more
  int usual = 0, longest = 0;         ///< most entries of a row of C without long_rows, and of all rows
  Array<Index, Cuda> long_rows;       ///< rows of more than `usual` entries
  std::size_t bytes() const {
    return blocks.bytes() + first.bytes() + narrow.bytes() + wide.bytes() + long_rows.bytes();
  }
};

/// Picks the values of a pattern C from a merge whose columns ascend by the same keys.
template <class Epilogue>
struct PickEntriesBody {
  CsrView<double> merged, C;
  Epilogue epilogue;
  Index width;  ///< of blocks of columns
  double* value;
  TESSERA_HD void operator()(Index i) const {
    auto from = merged.offsets[i];
    auto const of_row = epilogue.row(i);
    for (auto s = C.offsets[i]; s < C.offsets[i + 1]; ++s) {
      Index const c = C.column[s], place = place_of(c);
      while (from < merged.offsets[i + 1] && place_of(merged.column[from]) < place) ++from;
      bool const is_there = from < merged.offsets[i + 1] && merged.column[from] == c;
      value[s] = is_there ? merged.value[from] : of_row(c, 0.0);
    }
  }
  TESSERA_HD Index place_of(Index column) const {
    return epilogue.key(column / width) * width + column % width;
  }
};

/// Rows of a node, which have one pattern, and columns of a block.
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

/// Not `found`: a refresh recomputes C.
template <class Space>
struct ChainPlan {
  bool found = false;
  std::size_t entries = 0;       ///< of A B
  Array<Offset, Space> offsets;  ///< of rows of A B; empty if the plans have them
  ProductPlan<Space> inner, outer;
  std::size_t bytes() const { return offsets.bytes() + inner.bytes() + outer.bytes(); }
};

}  // namespace Tessera::sparse
