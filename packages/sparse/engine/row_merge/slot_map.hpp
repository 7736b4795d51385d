#pragma once
/// \file
/// Where the products of a merge belong, so that new values of its operands need no search: for each product
/// of a row, in the order in which sums run, which entry of the row of C it adds to.
#include "core/array.hpp"

namespace Tessera::sparse {

/// Each back end has its own; not `found` where a row of C is too long for it.
template <class Space>
struct SlotMap;

/// Where rows of the right operand are single, products are the left operand's entries; those that are left
/// out have a slot behind the row. A byte a product.
template <>
struct SlotMap<Host> {
  bool found = false;
  Index most = 0;            ///< products of a row
  Array<Index, Host> first;  ///< product of each row, and the end; empty where products are entries
  Array<unsigned char, Host> slot;
  std::size_t bytes() const { return first.bytes() + slot.bytes(); }
};

template <>
struct SlotMap<Cuda> {
  bool found = false;
  std::size_t entries = 0;  ///< of C
  /// Rows whose slots lie interleaved: product p of row i at first[i / chunk] + p * chunk + i % chunk.
  int chunk = 1;
  Array<Offset, Cuda> first;          ///< chunks + 1
  Array<unsigned char, Cuda> narrow;  ///< the slots where rows of C have fewer than 256 entries
  Array<unsigned short, Cuda> wide;   ///< and where some have more
  int usual = 0, longest = 0;         ///< entries of C's rows, but for long_rows, and of all
  Array<Index, Cuda> long_rows;       ///< those of more than `usual` entries
  std::size_t bytes() const { return first.bytes() + narrow.bytes() + wide.bytes() + long_rows.bytes(); }
};

}  // namespace Tessera::sparse
