#pragma once
/// \file
/// Compressed sparse rows.
#include "core/array.hpp"

namespace Tessera::sparse {

/// Bytes of an entry: value and column.
template <class T>
inline constexpr double entry_bytes = sizeof(T) + sizeof(Index);

/// The views of a Csr that bodies read.
template <class T>
struct CsrView {
  Index rows = 0;
  Index columns = 0;
  Span<Offset const> offsets;  ///< rows + 1
  Span<Index const> column;    ///< offsets[rows]
  Span<T const> value;         ///< offsets[rows]
  void const* layout() const { return offsets.data(); }
};

/// Some rows of a matrix.
template <class T>
struct CsrRows {
  CsrView<T> matrix;
  Index const* list = nullptr;  ///< null: all
  Index count = 0;
  TESSERA_HD Index operator[](Index p) const { return list == nullptr ? p : list[p]; }
};

template <class T>
CsrRows<T> all_rows(CsrView<T> A) {
  return {A, nullptr, A.rows};
}
template <class T>
CsrRows<T> listed_rows(CsrView<T> A, Span<Index const> list) {
  static constexpr Index none = 0;
  return {A, list.empty() ? &none : list.data(), static_cast<Index>(list.size())};
}

/// A matrix of this rank, rows x columns, entries of row i at offsets[i] <= k < offsets[i + 1]. Columns
/// within a row are distinct; each function that makes a Csr documents whether it sorts them.
template <class T, class Space>
struct Csr {
  Index rows = 0;
  Index columns = 0;
  Array<Offset, Space> offsets;
  Array<Index, Space> column;
  Array<T, Space> value;

  Offset nonzeros() const { return static_cast<Offset>(column.size()); }
  std::size_t bytes() const { return offsets.bytes() + column.bytes() + value.bytes(); }
  CsrView<T> view() const { return {rows, columns, offsets.view(), column.view(), value.view()}; }
};

/// A copy in another space, or with values of another type (rounded to nearest).
template <class To, class T, class From, class Target>
Csr<To, Target> copied(From const& from, Csr<T, From> const& A, Target const& to);

/// diagonal[i] = a_ii for the first diagonal.size() rows; 0 where the entry is missing.
template <class T, class Space>
void extract_diagonal(Space const& space, CsrView<T> A, Span<T> diagonal);

/// The first row that has an infinity or a NaN; -1: none.
template <class T, class Space>
Index first_nonfinite_row(Space const& space, CsrView<T> A);

}  // namespace Tessera::sparse
