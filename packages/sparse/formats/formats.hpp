#pragma once
/// \file
/// The formats in which a matrix is stored for multiplication. What sparse/engine/row_reduce.hpp takes of
/// each is its view().
#include <cstddef>
#include <variant>

#include "sparse/formats/csr.hpp"
#include "sparse/formats/sell.hpp"

namespace Tessera::sparse {

enum class MatrixFormat { automatic, csr, sell };

struct StorageParameters {
  MatrixFormat format = MatrixFormat::automatic;
  int chunk_size = 32;  ///< C of SELL-C-sigma
  int sigma = 256;
  /// CSR refers to the pattern that it is made from (and to the values, where the types are equal), which
  /// must then stay where it is. False: CSR is a copy. SELL-C-sigma always is.
  bool borrow = false;
};

/// Some of a matrix' rows.
template <class Space>
struct RowSet {
  bool all = false;
  Array<Index, Space> list;  ///< ascending, unless all

  template <class T>
  CsrRows<T> of(CsrView<T> A) const {
    return all ? all_rows(A) : listed_rows(A, list.view());
  }
};

/// Rows of a CSR that lies elsewhere.
template <class T, class Space>
struct CsrPart {
  CsrView<T> matrix;
  RowSet<Space> rows;
  CsrRows<T> view() const { return rows.of(matrix); }
  std::size_t bytes() const { return rows.list.bytes(); }
  std::size_t product_bytes() const { return bytes(); }
};

/// Some rows of a matrix in any format.
template <class T, class Space>
using StoredRows = std::variant<CsrPart<T, Space>, Sell<T, Space>>;

}  // namespace Tessera::sparse
