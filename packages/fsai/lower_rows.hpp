#pragma once
/// \file
/// The rows of A that a rank's part of G depends on, and patterns on these rows.
#include <limits>

#include "comm/archive.hpp"

namespace Tessera::fsai {

/// Positions of the owned rows among the owned and ghost rows of this rank.
struct OwnRows {
  Index ghosts = 0;            ///< number of ghost rows
  Span<Index const> position;  ///< of owned rows; empty: owned rows come last
  TESSERA_HD Index operator()(Index r) const { return position.empty() ? ghosts + r : position[r]; }
};

/// Input of the kernels: owned rows, and the ghost rows that this rank's part of G can reach. Rows and
/// columns stand in the order in which G is triangular. Columns ascend within a row, and each row has its
/// diagonal.
struct LowerRows {
  sparse::CsrView<double> A;  ///< square
  OwnRows own;
  /// Rows from this one on are columns of G only on their own diagonal.
  Index columns = std::numeric_limits<Index>::max();
};

/// A pattern with ascending columns. Row r is row own(r) of LowerRows, and its last entry is its diagonal.
struct PatternView {
  Index rows = 0;
  Span<Offset const> offsets;  ///< rows + 1
  Span<Index const> column;    ///< positions in LowerRows
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
  /// Of so many rows. Whether its columns are there is known with the rows of A.
  void archive(core::Archive& file, Space const& space, Index count) {
    auto& [rows, columns] = *this;
    std::size_t entries = 0;
    file.array(space, rows, [&](Span<Offset const> all) {
      core::require_offsets(file, all, static_cast<std::size_t>(count), "offsets of a pattern's rows");
      entries = static_cast<std::size_t>(all[count]);
    });
    file.array(space, columns, [&](Span<Index const> all) {
      core::require_size(file, all, entries, "columns of a pattern");
    });
  }
};

}  // namespace Tessera::fsai
