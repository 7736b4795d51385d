#pragma once
/// \file
/// Checks of a Tpetra matrix: invalid rows, asymmetry, floating components; and how messages count rows.
#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Messages identify rows by global indices, which usually count from 0, while files of matrices count
/// from 1. Appends the base, such as "; rows count from 0", to a text that names a row or an entry a(i, j);
/// returns any other text unchanged. Not collective.
std::string with_row_base(std::string text, Map const& rows);

/// The first defect of a row: contradictory lengths, a column out of range, a column that occurs twice.
enum class RowDefect { none, count, range, twice };

/// For columns in ascending order.
inline RowDefect range_defect(LocalOrdinal first, LocalOrdinal last, std::size_t columns) {
  return first < 0 || static_cast<std::size_t>(last) >= columns ? RowDefect::range : RowDefect::none;
}

/// The defect of row i of a matrix with so many local columns. Columns usually ascend, which a loop without
/// branches checks: 6 ms for the 7 million entries of Laplace3D 101^3, compared with 33 ms with branches.
template <class Rows>
RowDefect row_defect(Rows const& rows, Index i, std::size_t columns) {
  auto const row = rows.row(i);
  if (row.count != rows.count(i)) return RowDefect::count;
  if (row.count == 0) return RowDefect::none;
  int descents = 0;
  for (Offset k = 1; k < row.count; ++k) descents += row.column[k - 1] >= row.column[k] ? 1 : 0;
  if (descents == 0) return range_defect(row.column[0], row.column[row.count - 1], columns);
  std::vector<LocalOrdinal> sorted(row.column, row.column + row.count);
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return RowDefect::twice;
  return range_defect(sorted.front(), sorted.back(), columns);
}

/// Describes the defect of a row.
template <class Rows>
std::string defect_text(RowMatrix const& A, Rows const& rows, Index i) {
  auto const row = rows.row(i);
  auto const begin = core::message("row ", A.getRowMap()->getGlobalElement(i));
  switch (row_defect(rows, i, local_size(*A.getColMap()))) {
    case RowDefect::count:
      return core::message(begin, " has ", rows.count(i), " entries by getNumEntriesInLocalRow() but ",
                           row.count, " in getLocalRowCopy() (room is made by the one and filled by the ",
                           "other, as ", "Ifpack2::SparsityFilter's differ): make a Tpetra::CrsMatrix of it");
    case RowDefect::range:
      return core::message(begin, " has an entry in a local column that is not in the column map (of ",
                           local_size(*A.getColMap()),
                           " columns on this rank): look where the matrix was assembled");
    default:
      break;
  }
  std::vector<LocalOrdinal> sorted(row.column, row.column + row.count);
  std::sort(sorted.begin(), sorted.end());
  auto const twice = *std::adjacent_find(sorted.begin(), sorted.end());
  return core::message(begin, " has several entries in column ", A.getColMap()->getGlobalElement(twice),
                       " (products sum them, but strength of connection and patterns would see each alone): ",
                       "store their sum, as insertGlobalValues() does");
}

/// \throws core::InvalidInput, on this rank, that describes the first row with a defect
template <class Rows>
void require_valid_rows(RowMatrix const& A, Rows const& rows) {
  auto const n = local_size(*A.getRowMap()), columns = local_size(*A.getColMap());
  auto const bad =
      rows.first_row(n, [rows, columns](Index i) { return row_defect(rows, i, columns) != RowDefect::none; });
  if (bad < 0) return;
  throw core::InvalidInput(with_row_base(defect_text(A, rows, bad), *A.getRowMap()));
}

/// Two entries that symmetry would make equal; global indices.
struct UnequalPair {
  GlobalOrdinal row = 0, column = 0;
  double value = 0, transposed = 0;  ///< a(row, column) and a(column, row); 0 if not stored
};

/// A pair of entries that differ by more than rounding, in a sample from evenly spaced rows of each rank: 256
/// rows with the rank's own columns, 64 entries in columns of other ranks, and 16 to 31 entries of a long
/// row. The same on all ranks and in each run. Collective.
std::optional<UnequalPair> find_unequal_pair(RowMatrix const& A);

/// Describes such a pair; empty if there is none. Collective.
std::string asymmetry(RowMatrix const& A);

/// The label of rows that belong to no floating component.
constexpr GlobalOrdinal not_floating = std::numeric_limits<GlobalOrdinal>::lowest();

/// A label of each owned row: the least global index of its component if that floats, else `not_floating`.
/// Nonzero entries connect a component. It floats if A V is zero in all of its rows, to rounding of their
/// entries. A: symmetric; V: on A's row map, which is its domain map. Two passes over A, and one exchange
/// more than the number of ranks that a component spans in a row. Collective.
std::vector<GlobalOrdinal> floating_components(RowMatrix const& A, MultiVector const& V);

}  // namespace Tessera::tpetra
