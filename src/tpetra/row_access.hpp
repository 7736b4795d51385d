#pragma once
/// \file
/// The local rows of a Tpetra row matrix on the host: in place for a CrsMatrix, copied row by row for any
/// other.
#include <algorithm>
#include <map>
#include <vector>

#include "core/parallel.hpp"
#include "tpetra/local_rows.hpp"
#include "tpetra/types.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {

/// One row: local columns of the Tpetra matrix, and values.
struct RowView {
  Offset count;
  LocalOrdinal const* column;
  double const* value;
};

/// The rows of a CrsMatrix, read by all threads. Valid as long as the views of the matrix.
struct CrsRows {
  std::size_t const* offsets;
  LocalOrdinal const* column;
  double const* value;

  Offset count(Index row) const { return static_cast<Offset>(offsets[row + 1] - offsets[row]); }
  RowView row(Index row) const { return {count(row), column + offsets[row], value + offsets[row]}; }
  void fetch(std::vector<Index> const& /* rows */) const {}

  template <class Body>
  void for_each_row(std::size_t n, Body const& body) const {
    core::for_each(Host{}, n, body);
  }
  template <class Body>
  bool any_row(std::size_t n, Body const& body) const {
    return core::reduce(Host{}, n, body, core::Max{}, 0) != 0;
  }
  /// The first row for which body is true; -1: none.
  template <class Body>
  Index first_row(std::size_t n, Body const& body) const {
    auto const from_end = [n, body](Index i) { return body(i) ? static_cast<Index>(n) - i : Index{0}; };
    Index const found = core::reduce(Host{}, n, from_end, core::Max{}, Index{0});
    return found == 0 ? -1 : static_cast<Index>(n) - found;
  }
};

/// The rows of any row matrix, read by one thread: Tpetra does not promise a thread-safe getLocalRowCopy().
struct CopiedRows {
  RowMatrix const* matrix;
  RowMatrix::nonconst_local_inds_host_view_type* column;
  RowMatrix::nonconst_values_host_view_type* value;

  Offset count(Index row) const { return static_cast<Offset>(matrix->getNumEntriesInLocalRow(row)); }
  RowView row(Index row) const {
    std::size_t count = 0;
    matrix->getLocalRowCopy(row, *column, *value, count);
    return {static_cast<Offset>(count), column->data(), value->data()};
  }
  void fetch(std::vector<Index> const& /* rows */) const {}

  template <class Body>
  void for_each_row(std::size_t n, Body const& body) const {
    for (std::size_t i = 0; i < n; ++i) body(static_cast<Index>(i));
  }
  template <class Body>
  bool any_row(std::size_t n, Body const& body) const {
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) any |= body(static_cast<Index>(i)) != 0;
    return any;
  }
  template <class Body>
  Index first_row(std::size_t n, Body const& body) const {
    for (std::size_t i = 0; i < n; ++i)
      if (body(static_cast<Index>(i))) return static_cast<Index>(i);
    return -1;
  }
};

/// Rows in the memory of a GPU, of which only those are copied that fetch() names.
class FetchedRows {
 public:
  explicit FetchedRows(CrsMatrix const& A);
  /// Before row(). Forgets the rows of the last call.
  void fetch(std::vector<Index> const& rows) const;
  RowView row(Index row) const;

 private:
  comm::LocalRows<Offset> source_;
  mutable std::map<Index, std::size_t> place_;
  mutable comm::FetchedRows copied_;
};

/// Calls work with the rows of A, a CrsRows or a CopiedRows.
template <class Work>
void with_rows(RowMatrix const& A, Work const& work) {
  if (auto const* crs = dynamic_cast<CrsMatrix const*>(&A)) {
    auto const local = crs->getLocalMatrixHost();
    work(CrsRows{local.graph.row_map.data(), local.graph.entries.data(), local.values.data()});
    return;
  }
  auto longest = max_row_entries(A);
  for (std::size_t i = 0; i < local_size(*A.getRowMap()); ++i)  // one of both may be wrong
    longest = std::max(longest, A.getNumEntriesInLocalRow(static_cast<LocalOrdinal>(i)));
  RowMatrix::nonconst_local_inds_host_view_type column("columns of a row", longest);
  RowMatrix::nonconst_values_host_view_type value("values of a row", longest);
  work(CopiedRows{&A, &column, &value});
}

/// Calls work with the rows of A; of a matrix in the memory of a GPU, only rows that work fetches are copied.
template <class Work>
void with_some_rows(RowMatrix const& A, Work const& work) {
  if constexpr (vectors_on_device) {
    if (auto const* crs = dynamic_cast<CrsMatrix const*>(&A)) return work(FetchedRows(*crs));
  }
  with_rows(A, work);
}

}  // namespace Tessera::tpetra
