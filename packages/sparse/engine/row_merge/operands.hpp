#pragma once
/// \file
/// Operands and epilogues of row_merge.hpp: trivially copyable structs of views, all of it TESSERA_HD.
///
/// A left operand has rows(), entries() of all rows together, and row(i), a forward iterator over the entries
/// begin <= k < end. move(k) goes to entry k. There, source() is the row of the right operand that the entry
/// scales, factor() is the scale, and keeps() is false if the product leaves the entry out; keeps_all: it
/// leaves none out.
///
/// A right operand has columns(), row_length() on average, and for row j the entries begin(j) <= l < end(j)
/// with column(l) and value(l). If rows have at most one block of columns (`single`), row j is entry j; its
/// column is -1 if it is empty. Entries are numbers if fixed_width is 1, else blocks of 1 x width() numbers,
/// and so are those of the product.
///
/// An epilogue has row(i)(column, sum), the value to store. Blocks of columns ascend by key(block);
/// block(key) is the inverse.
#include <algorithm>
#include <type_traits>

#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// Left: a matrix.
struct CsrFactors {
  CsrView<double> A;
  struct Row {
    static constexpr bool keeps_all = true;
    Index const* column;
    double const* value;
    Offset begin, end, at;
    TESSERA_HD void move(Offset k) { at = k; }
    TESSERA_HD Index source() const { return column[at]; }
    TESSERA_HD bool keeps() const { return true; }
    TESSERA_HD double factor() const { return value[at]; }
  };
  TESSERA_HD Index rows() const { return A.rows; }
  std::size_t entries() const { return A.column.size(); }
  TESSERA_HD Row row(Index i) const {
    return {A.column.data(), A.value.data(), A.offsets[i], A.offsets[i + 1], A.offsets[i]};
  }
};

/// Left: 1 in place of every value, for patterns.
struct UnitFactors : CsrFactors {
  struct Row : CsrFactors::Row {
    TESSERA_HD double factor() const { return 1; }
  };
  TESSERA_HD Row row(Index i) const { return {CsrFactors::row(i)}; }
};

/// A row of a right operand in contiguous memory.
struct RowEntries {
  Index const* column;  ///< the column of each number, or the number of each block of columns
  double const* value;
  Index count;  ///< blocks of columns
};

/// Right: a matrix whose rows consist of blocks of Width columns; 0: of dynamic_width columns.
template <int Width = 1>
struct CsrSources {
  static constexpr bool single = false;
  static constexpr int fixed_width = Width;
  CsrView<double> B;
  int dynamic_width = Width;
  TESSERA_HD int width() const { return Width > 0 ? Width : dynamic_width; }
  TESSERA_HD Index columns() const { return B.columns; }
  /// Entries of a row, on average. Patterns lack values, refreshes lack columns.
  double row_length() const {
    auto const entries = std::max(B.column.size(), B.value.size());
    return B.rows == 0 ? 0.0 : static_cast<double>(entries) / B.rows;
  }
  TESSERA_HD Offset begin(Index j) const { return B.offsets[j]; }
  TESSERA_HD Offset end(Index j) const { return B.offsets[j + 1]; }
  TESSERA_HD Index column(Offset l) const { return B.column[l]; }
  TESSERA_HD double value(Offset l) const { return B.value[l]; }
  RowEntries row(Index j) const {
    auto const first = B.offsets[j];
    return {B.column.data() + first, B.value.data() + first,
            static_cast<Index>((B.offsets[j + 1] - first) / width())};
  }
  Index block(RowEntries const& row, Index b) const { return row.column[b * width()] / width(); }
  /// The s-th number of a row.
  static double number(double const* value, Index s) { return value[s]; }

  /// Whether a merge may multiply numbers past the end of a row. If is_last(row), fewer than eight numbers
  /// follow the row.
  static constexpr bool may_read_past_end = true;
  bool is_last(RowEntries const& row) const { return B.value.end() - (row.value + row.count) < 8; }
  /// No prefetch: rows of meshes follow each other here.
  void prefetch(Index) const {}
};

/// Right: 1 in place of every value, for patterns.
struct UnitSources : CsrSources<> {
  TESSERA_HD double value(Offset) const { return 1; }
  static double number(double const*, Index) { return 1; }
  bool is_last(RowEntries const& row) const { return B.column.end() - (row.column + row.count) < 8; }
};

/// Number of products of each row.
template <class Left, class Right>
struct CountProductsBody {
  Left A;
  Right B;
  Offset* products;
  TESSERA_HD void operator()(Index i) const {
    Offset sum = 0;
    auto a = A.row(i);
    for (Offset k = a.begin; k < a.end; ++k) {
      a.move(k);
      if (a.keeps()) sum += B.end(a.source()) - B.begin(a.source());
    }
    products[i] = sum;
  }
};

/// Epilogue: the sums, by ascending columns.
struct PlainSums {
  static constexpr bool plain = true;
  struct Row {
    TESSERA_HD double operator()(Index, double sum) const { return sum; }
  };
  TESSERA_HD Row row(Index) const { return {}; }
  TESSERA_HD Index key(Index block) const { return block; }
  TESSERA_HD Index block(Index key) const { return key; }
};

/// An epilogue for a given pattern of C: products outside of the pattern are left out.
template <class Epilogue>
struct Masked : Epilogue {};
template <class Epilogue>
struct IsMasked : std::false_type {};
template <class Epilogue>
struct IsMasked<Masked<Epilogue>> : std::true_type {};

/// Calls work(integral_constant) with the width if merges are compiled for it, else with 0.
template <class Work>
auto with_width(int width, Work const& work) {
  if (width == 1) return work(std::integral_constant<int, 1>{});
  if (width == 3) return work(std::integral_constant<int, 3>{});
  if (width == 6) return work(std::integral_constant<int, 6>{});
  return work(std::integral_constant<int, 0>{});
}

}  // namespace Tessera::sparse
