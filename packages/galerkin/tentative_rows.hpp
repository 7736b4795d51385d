#pragma once
/// \file
/// T as an operand of merges.
#include "sparse/engine/row_merge/operands.hpp"

namespace Tessera::galerkin {

/// Right operand: T. Row j is zero except for the Width (0: `dynamic_width`) columns of one aggregate.
template <int Width>
struct TentativeRows {
  static constexpr bool single = true;
  static constexpr int fixed_width = Width;
  Span<Index const> aggregate;  ///< of A's local columns
  double const *own, *ghost;    ///< rows of T
  Index owned;                  ///< rows
  Index aggregates;             ///< local aggregates, ghosts included
  int dynamic_width;
  TESSERA_HD int width() const { return Width > 0 ? Width : dynamic_width; }
  TESSERA_HD Index columns() const { return aggregates * width(); }
  double row_length() const { return 1; }
  std::size_t size() const { return aggregate.size(); }
  TESSERA_HD Offset begin(Index j) const { return j; }
  TESSERA_HD Offset end(Index j) const { return j + (aggregate[j] < 0 ? 0 : 1); }
  TESSERA_HD Index block_column(Index j) const { return aggregate[j]; }
  TESSERA_HD double const* values(Index j) const {
    return j < owned ? own + static_cast<Offset>(j) * width()
                     : ghost + static_cast<Offset>(j - owned) * width();
  }
  /// For one number per column:
  TESSERA_HD Index column(Offset j) const { return aggregate[j]; }
  TESSERA_HD double value(Offset j) const { return *(j < owned ? own + j : ghost + (j - owned)); }
  TESSERA_HD sparse::RowEntries row(Index j) const {
    return {aggregate.data() + j, values(j), aggregate[j] < 0 ? 0 : 1};
  }
  static Index block(sparse::RowEntries const& row, Index b) { return row.column[b]; }
  static double number(double const* value, Index s) { return value[s]; }
};

/// The same for a T whose entries are all 1.
struct IndicatorRows : TentativeRows<1> {
  IndicatorRows(Span<Index const> of_column, Index aggregate_count)
      : TentativeRows<1>{of_column, nullptr, nullptr, 0, aggregate_count, 1} {}
  TESSERA_HD double value(Offset) const { return 1; }
  sparse::RowEntries row(Index j) const { return {aggregate.data() + j, nullptr, aggregate[j] < 0 ? 0 : 1}; }
  static double number(double const*, Index) { return 1; }
};

}  // namespace Tessera::galerkin
