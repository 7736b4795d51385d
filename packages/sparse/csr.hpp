#pragma once
/// \file
/// Compressed sparse rows.
#include <cstdint>

#include "core/array.hpp"

namespace Tessera::sparse {

/// What bodies see of a Csr.
template <class T>
struct CsrView {
  Index rows = 0;
  Index columns = 0;
  Span<Offset const> offsets;  ///< rows + 1
  Span<Index const> column;    ///< offsets[rows]
  Span<T const> value;         ///< offsets[rows]
};

/// A matrix of this rank, rows x columns, entries of row i at offsets[i] <= k < offsets[i + 1]. Columns
/// within a row are distinct; every function that makes a Csr says whether it sorts them.
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

/// sums[i] = sum_j |a_ij|, in storage order. With D the diagonal, max_i sums[i] / a_ii bounds the spectral
/// radius of D^-1 A (Gershgorin).
template <class T, class Space>
void absolute_row_sums(Space const& space, CsrView<T> A, Span<T> sums);

/// sums[i] = sum_{j != i} |a_ij|, in storage order; what l1-Jacobi adds to the diagonal.
template <class T, class Space>
void off_diagonal_row_sums(Space const& space, CsrView<T> A, Span<T> sums);

/// The smallest row that holds an infinity or a NaN; -1 when there is none.
template <class T, class Space>
Index first_nonfinite_row(Space const& space, CsrView<T> A);

/// A hash of the entries (row, column, bits of the value) and of the shape, whatever the order of storage and
/// the number of threads: the sum of the entries' hashes modulo 2^64. row_base and column_of name rows and
/// columns (global indices, say); an empty column_of stands for the columns' own numbers.
template <class T, class Space>
std::uint64_t checksum(Space const& space, CsrView<T> A, GlobalIndex row_base = 0,
                       Span<GlobalIndex const> column_of = {});

}  // namespace Tessera::sparse
