#pragma once
/// \file
/// SELL-C-sigma: sliced ELLPACK with rows sorted by length inside windows (Kreutzer, Hager, Wellein, Fehske,
/// Bishop 2014; the pJDS idea of Kreutzer et al. 2012 without its global permutation).
#include <limits>

#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// C = 32 is a warp on the GPU and also best on the host (one Zen 4 thread, 101^3 7-point, -march=native):
/// GB/s for C = 8, 16, 32 are 16, 25, 26 in double and 20, 21, 22 in float, where a copy gets 20 to 25; CSR
/// gets 25 and 18. So on the host CSR is as good in double and SELL better in float.
struct SellShape {
  int chunk = 32;  ///< C, rows in a chunk
  /// Rows in a window that is sorted by length, a multiple of C. 1: rows keep their order.
  int sigma = 256;
  /// Rows also keep their order if padding is at most this share of the entries: consecutive rows in a chunk
  /// gain more.
  double tolerated = 0.05;
  /// Consecutive columns that share a stored one: 1, run_width, or 0 for the choice that moves fewer bytes.
  int run = 1;

  bool tolerates(std::size_t padding, std::size_t nonzeros) const {
    return static_cast<double>(padding) <= tolerated * static_cast<double>(nonzeros);
  }
};

/// pJDS (Kreutzer et al. 2012): all rows are sorted by length, longest first, in blocks of 32 that are padded
/// to their longest row. That is one window. Its entries lie block by block, not by jagged diagonals, so that
/// 8 bytes a block replace a length for each row. Products write to each slot's row, so vectors need no
/// permutation.
inline constexpr SellShape pjds_shape{32, std::numeric_limits<int>::max() / 32 * 32, 0.0};

/// Columns of a run (sell_runs.hpp).
constexpr int run_width = 3;

/// The views of a Sell that bodies read.
template <class T>
struct SellView {
  Index rows = 0;
  Index columns = 0;
  Index stored_rows = 0;
  int chunk = 1;
  int run = 1;                 ///< see SellShape; the width of a chunk is a multiple of it
  bool ascending = true;       ///< rows ascend with their slots
  Span<Offset const> offsets;  ///< chunks + 1; a chunk's width is the difference over C
  Span<T const> value;         ///< entry j of lane l of chunk c at offsets[c] + j * C + l
  Span<Index const> column;    ///< the same; from column_offsets[c] on, unless that is empty. Where columns
                               ///< come in runs, of entry j * run at offsets[c] / run + j * C + l
  Span<Index const> row;       ///< chunks * C: the matrix row in each slot, -1 after the last
  /// Where a chunk's columns begin (chunks + 1). A chunk without columns lies on diagonals: lane l of its
  /// column j is in matrix column row + diagonal[offsets[c] / C + j]. Empty if columns come in runs, and on
  /// CUDA unless most entries lie in such chunks.
  Span<Offset const> column_offsets;
  Span<Index const> diagonal;

  void const* layout() const { return offsets.data(); }
  /// Whether slot s is row s.
  TESSERA_HD bool in_order() const { return ascending && stored_rows == rows; }
  /// Offset of the columns of chunk c, and whether the chunk has none.
  TESSERA_HD Offset columns_begin(Index c) const {
    return column_offsets.empty() ? offsets[c] / run : column_offsets[c];
  }
  TESSERA_HD bool on_diagonals(Index c) const {
    return !column_offsets.empty() && column_offsets[c] == column_offsets[c + 1];
  }
};

/// The slots of a SellView for engine/slot_walk.hpp, if all columns are stored. C: 0 if known at run time
/// only.
template <class T, int C>
struct SellSlots : SellView<T> {
  using Value = T;
  static constexpr int run_length = 1;
  TESSERA_HD Index slots() const { return static_cast<Index>(this->row.size()); }
  TESSERA_HD int stride() const { return C > 0 ? C : this->chunk; }
  TESSERA_HD Offset begin(Index slot) const { return this->offsets[slot / stride()] + slot % stride(); }
  TESSERA_HD Offset next(Offset k, int j) const { return k + j * stride(); }
  TESSERA_HD Offset at(Offset k, int j) const { return k + j * stride(); }
  TESSERA_HD int length(Index slot) const {
    auto const c = slot / stride();
    return static_cast<int>(this->offsets[c + 1] - this->offsets[c]) / stride();
  }
  TESSERA_HD int width(Index slot) const { return length(slot); }
  TESSERA_HD Index row_of(Index slot) const {
    Index const i = this->in_order() ? slot : this->row[slot];
    return i < this->rows ? i : -1;
  }
};

/// The same for columns in runs.
template <class T, int C>
struct SellRunSlots : SellSlots<T, C> {
  static constexpr int run_length = run_width;
  struct Place {
    Offset value, column;
  };
  TESSERA_HD Place begin(Index slot) const {
    auto const first = this->offsets[slot / C];
    return {first + slot % C, first / run_width + slot % C};
  }
  /// j is a multiple of run_width here and in column_at.
  TESSERA_HD Place next(Place k, int j) const { return {k.value + j * C, k.column + j / run_width * C}; }
  TESSERA_HD Offset at(Place k, int j) const { return k.value + j * C; }
  TESSERA_HD Offset column_at(Place k, int j) const { return k.column + j / run_width * C; }
};

/// Rows of a matrix, all or some of them, in chunks of C. A chunk is as wide as its longest row; padding is a
/// zero at the column of the row's last entry (column 0 in an empty row), after the row's entries. So a
/// product adds a row's terms in the order of the Csr, then zeros, and is bitwise the same. Columns of chunks
/// that lie on diagonals, as in structured meshes, are not stored. This halves the bytes of a product in
/// float, and the host reads x without a gather. In such a chunk, a row that lacks a diagonal has a zero
/// there.
template <class T, class Space>
struct Sell {
  Index rows = 0;
  Index columns = 0;
  Index stored_rows = 0;
  int chunk = 1;
  int run = 1;
  bool ascending = true;
  Array<Offset, Space> offsets;
  Array<T, Space> value;
  Array<Index, Space> column;
  Array<Index, Space> row;
  Array<Offset, Space> column_offsets;
  Array<Index, Space> diagonal;

  std::size_t bytes() const {
    return offsets.bytes() + value.bytes() + column.bytes() + row.bytes() + column_offsets.bytes() +
           diagonal.bytes();
  }
  /// Bytes that a product reads.
  std::size_t product_bytes() const { return bytes() - (view().in_order() ? row.bytes() : 0); }
  SellView<T> view() const {
    return {rows,          columns,    stored_rows,           chunk,
            run,           ascending,  offsets.view(),        value.view(),
            column.view(), row.view(), column_offsets.view(), diagonal.view()};
  }
};

/// Some rows of a matrix, distinct; values rounded to T. \throws core::InvalidInput if chunk < 1, sigma is
/// neither 1 nor a multiple of chunk, or columns come in runs and chunk is not 32
template <class T, class From, class Space>
Sell<T, Space> to_sell(Space const& space, CsrRows<From> rows, SellShape shape);

template <class T, class From, class Space>
Sell<T, Space> to_sell(Space const& space, CsrView<From> A, SellShape shape) {
  return to_sell<T>(space, all_rows(A), shape);
}

/// New values of A, same pattern; allocates nothing.
template <class T, class From, class Space>
void refresh_rows(Space const& space, CsrView<From> A, Sell<T, Space>& S);

}  // namespace Tessera::sparse

#include "sparse/formats/sell_rows.hpp"
