#pragma once
/// \file
/// A matrix of this rank, stored for multiplication in two sets of rows.
#include <type_traits>

#include "sparse/csr.hpp"
#include "sparse/sell.hpp"

namespace Tessera::comm {

enum class MatrixFormat { automatic, csr, sell };

struct StorageParameters {
  MatrixFormat format = MatrixFormat::automatic;
  int chunk_size = 32;  ///< C of SELL-C-sigma
  int sigma = 256;
  /// CSR refers to the pattern that it is made from (and to the values, where the types are equal), which
  /// must then stay where it is. False: CSR is a copy. SELL-C-sigma always is.
  bool borrow = false;
  bool restorable = false;  ///< pattern() will be asked for
  bool twice = false;       ///< the matrix is square, and multiply_fused_twice will be asked for
};

/// Whether CSR is about as fast as SELL-C-sigma for rows of P^T, which are long (Laplace 101^3, half of it:
/// 2.0 ms both; the short rows of P take 4.1 ms in CSR, 1.1 in SELL-C-sigma). Then the one that refers to the
/// pattern which refreshes need anyway saves its making and two thirds of its memory. On the GPU,
/// neighbouring threads are to read neighbouring numbers.
template <class Space>
constexpr bool restricts_in_csr = false;
template <>
inline constexpr bool restricts_in_csr<Host> = true;

/// Some of a matrix' rows.
template <class Space>
struct RowSet {
  bool all = false;
  Array<Index, Space> list;  ///< ascending, unless all; empty where chunks of SELL-C-sigma know their rows
};

/// Automatic is SELL-C-sigma unless its padding makes it longer than CSR by a quarter; its rows keep their
/// order (sigma = 1) where that costs next to no padding. On a GPU very few rows are CSR.
template <class T, class Space>
class SplitRows {
 public:
  SplitRows() = default;
  SplitRows(Space const& space, sparse::CsrView<double> A, RowSet<Space> first, RowSet<Space> second,
            StorageParameters const& parameters);

  /// New values on the same pattern; allocates nothing.
  void refresh(Space const& space, sparse::CsrView<double> A);

  /// epilogue(row, (A x)_row) for the rows of one set; see sparse/row_products.hpp.
  template <class X, class Epilogue>
  void first(Space const& space, X const& x, Epilogue const& epilogue) const;
  template <class X, class Epilogue>
  void second(Space const& space, X const& x, Epilogue const& epilogue) const;

  /// visitor(view) with the CsrView or SellView of the first set; a CsrView has all rows.
  template <class Visitor>
  void visit_first(Visitor const& visitor) const {
    visit(first_, visitor);
  }
  template <class Visitor>
  void visit_second(Visitor const& visitor) const {
    visit(second_, visitor);
  }

  /// The first set, where that is SELL-C-sigma.
  sparse::SellView<T> first_chunks() const { return first_.sell.view(); }

  /// Whether what it was made from must keep its pattern, or its values.
  bool borrows_pattern() const { return borrow_ && !sell_; }
  bool borrows_values() const { return borrows_pattern() && std::is_same_v<T, double>; }
  /// The pattern that it was made from, where it is SELL-C-sigma and restorable.
  sparse::Csr<double, Space> pattern(Space const& space) const;
  char const* format() const { return sell_ ? "SELL-C-sigma" : "CSR"; }
  std::size_t bytes() const;
  /// What a product reads of the matrix: values, columns, offsets, and which rows where they are listed.
  std::size_t product_bytes() const;

 private:
  struct Part {
    RowSet<Space> rows;
    sparse::Sell<T, Space> sell;
  };
  template <class Visitor>
  void visit(Part const& part, Visitor const& visitor) const {
    if (sell_) return visitor(part.sell.view());
    visitor(csr_view_);
  }
  /// Whether that was worth it, or asked for.
  bool store_as_sell(Space const& space, sparse::CsrView<double> A, StorageParameters shape);
  template <class X, class Epilogue>
  void product(Space const& space, Part const& part, X const& x, Epilogue const& epilogue) const;

  bool sell_ = false;
  bool borrow_ = false;
  std::size_t nonzeros_ = 0;  ///< without padding
  Part first_, second_;
  sparse::Csr<T, Space> csr_;    ///< what of it is not borrowed
  sparse::CsrView<T> csr_view_;  ///< what is multiplied
};

}  // namespace Tessera::comm
