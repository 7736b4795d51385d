#pragma once
/// \file
/// The rows of A that a rank's part of G is made of.
#include <limits>

#include "comm/archive.hpp"

namespace Tessera::fsai {

/// Where the rank's own rows stand among all rows that it knows.
struct OwnRows {
  Index others = 0;         ///< how many rows are not its own
  Span<Index const> place;  ///< of its own rows; empty: they are the last
  TESSERA_HD Index operator()(Index r) const { return place.empty() ? others + r : place[r]; }
};

/// What the kernels of this package see: rows and columns in the order in which G is triangular, of other
/// ranks those that this rank's part of G can reach. Columns ascend within rows, each row has its diagonal.
struct LowerRows {
  sparse::CsrView<double> A;  ///< square
  OwnRows own;
  /// Rows from this one on are no columns of G, but of their own diagonals.
  Index columns = std::numeric_limits<Index>::max();
};

/// Patterns, columns ascending; row r is row own(r) of LowerRows, and its last entry is its diagonal.
struct PatternView {
  Index rows = 0;
  Span<Offset const> offsets;  ///< rows + 1
  Span<Index const> column;    ///< numbered as LowerRows
  TESSERA_HD Index size(Index r) const { return static_cast<Index>(offsets[r + 1] - offsets[r]); }
  TESSERA_HD Span<Index const> row(Index r) const {
    return column.part(offsets[r], static_cast<std::size_t>(size(r)));
  }
};

template <class Space>
struct Pattern {
  Array<Offset, Space> offsets;
  Array<Index, Space> column;
  PatternView view() const { return {static_cast<Index>(offsets.size()) - 1, offsets.view(), column.view()}; }
  std::size_t bytes() const { return offsets.bytes() + column.bytes(); }
  void archive(core::Archive& file, Space const& space) {
    auto& [rows, columns] = *this;
    file.array(space, rows);
    file.array(space, columns);
  }
};

}  // namespace Tessera::fsai
