#pragma once
/// \file
/// Rows that cannot be read as they are.
#include <algorithm>
#include <exception>
#include <vector>

#include "core/error.hpp"
#include "tpetra/row_access.hpp"
#include "tpetra/row_base.hpp"

namespace Tessera::tpetra {

enum class RowTrouble { none, count, range, twice };

/// Of row i of a matrix with so many local columns. Rows whose columns ascend, as most do, cost one pass.
template <class Rows>
RowTrouble row_trouble(Rows const& rows, Index i, std::size_t columns) {
  auto const row = rows.row(i);
  if (row.count != rows.count(i)) return RowTrouble::count;
  bool ascending = true;
  for (Offset k = 0; k < row.count; ++k) {
    auto const c = row.column[k];
    if (c < 0 || static_cast<std::size_t>(c) >= columns) return RowTrouble::range;
    ascending = ascending && (k == 0 || row.column[k - 1] < c);
  }
  if (ascending) return RowTrouble::none;
  std::vector<LocalOrdinal> sorted(row.column, row.column + row.count);
  std::sort(sorted.begin(), sorted.end());
  bool const distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  return distinct ? RowTrouble::none : RowTrouble::twice;
}

/// What is wrong with a row that has trouble.
template <class Rows>
std::string trouble_text(RowMatrix const& A, Rows const& rows, Index i) {
  auto const row = rows.row(i);
  auto const begin = core::message("row ", A.getRowMap()->getGlobalElement(i));
  switch (row_trouble(rows, i, local_size(*A.getColMap()))) {
    case RowTrouble::count:
      return core::message(begin, " has ", rows.count(i), " entries by getNumEntriesInLocalRow() but ",
                           row.count, " in getLocalRowCopy() (room is made by the one and filled by the ",
                           "other, as ", "Ifpack2::SparsityFilter's differ): make a Tpetra::CrsMatrix of it");
    case RowTrouble::range:
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

/// \throws core::InvalidInput, on this rank, naming the first row that has trouble
template <class Rows>
void require_sound_rows(RowMatrix const& A, Rows const& rows) {
  auto const n = local_size(*A.getRowMap()), columns = local_size(*A.getColMap());
  auto const bad = rows.first_row(
      n, [rows, columns](Index i) { return row_trouble(rows, i, columns) != RowTrouble::none; });
  if (bad < 0) return;
  throw core::InvalidInput(with_row_base(trouble_text(A, rows, bad), *A.getRowMap()));
}

}  // namespace Tessera::tpetra
