#pragma once
/// \file
/// A matrix of this rank, stored for multiplication in two sets of rows.
#include <type_traits>

#include "sparse/formats/formats.hpp"

namespace Tessera::comm {

using sparse::MatrixFormat;
using sparse::RowSet;
using sparse::StorageParameters;

/// Automatic is SELL-C-sigma unless its padding makes it longer than CSR by a quarter. On a GPU very few rows
/// are CSR.
template <class T, class Space>
class SplitRows {
 public:
  SplitRows() = default;
  SplitRows(Space const& space, sparse::CsrView<double> A, RowSet<Space> first, RowSet<Space> second,
            StorageParameters const& parameters);

  /// New values on the same pattern; allocates nothing.
  void refresh(Space const& space, sparse::CsrView<double> A);

  /// visitor(view) with the first, or the second, set as sparse/engine/row_reduce.hpp takes it.
  template <class Visitor>
  void visit_first(Visitor const& visitor) const {
    std::visit([&](auto const& part) { visitor(part.view()); }, first_);
  }
  template <class Visitor>
  void visit_second(Visitor const& visitor) const {
    std::visit([&](auto const& part) { visitor(part.view()); }, second_);
  }

  bool is_sell() const { return std::holds_alternative<sparse::Sell<T, Space>>(first_); }
  /// Whether what it was made from must keep its pattern, or its values.
  bool borrows_pattern() const { return borrow_ && !is_sell(); }
  bool borrows_values() const { return borrows_pattern() && std::is_same_v<T, double>; }
  char const* format() const { return is_sell() ? "SELL-C-sigma" : "CSR"; }
  std::size_t bytes() const;
  /// What a product reads of the matrix: values, columns, offsets, and which rows where they are listed.
  std::size_t product_bytes() const;

 private:
  /// Whether that was worth it, or asked for.
  bool store_as_sell(Space const& space, sparse::CsrView<double> A, RowSet<Space> const& first,
                     RowSet<Space> const& second, StorageParameters const& parameters);

  bool borrow_ = false;
  sparse::StoredRows<T, Space> first_, second_;
  sparse::Csr<T, Space> csr_;  ///< what of CSR is not borrowed
};

}  // namespace Tessera::comm
