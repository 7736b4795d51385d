#pragma once
/// \file
/// Where the products of a matrix product belong, so that new values of its factors need no search.
#include "core/array.hpp"

namespace Tessera::sparse {

/// For each product of C = A B, in the order of Gustavson's loop: which entry of its row of C it adds to.
template <class Space>
struct EntryPlaces {
  std::size_t entries = 0;  ///< of C
  /// Rows whose places lie interleaved: product p of row i at first[i / chunk] + p * chunk + i % chunk.
  int chunk = 1;
  Array<Offset, Space> first;          ///< chunks + 1
  Array<unsigned char, Space> narrow;  ///< the places where rows of C have at most 256 entries
  Array<unsigned short, Space> wide;   ///< and where some have more
  int usual = 0, longest = 0;          ///< entries of C's rows, but for long_rows, and of all
  Array<Index, Space> long_rows;       ///< those of more than `usual` entries

  /// There are none where a row of C is too long.
  bool empty() const { return first.empty(); }
  std::size_t bytes() const { return first.bytes() + narrow.bytes() + wide.bytes() + long_rows.bytes(); }
};

}  // namespace Tessera::sparse
