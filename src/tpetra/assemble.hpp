#pragma once
/// \file
/// Tpetra matrices from complete rows. Insertion row by row would take several times as long.
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "comm/distribution.hpp"
#include "core/array.hpp"
#include "sparse/csr.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// The rows of this rank, in the local order of a map: entries of row i at offsets[i] <= k < offsets[i + 1].
struct GlobalRows {
  Array<Offset, Host> offsets;
  Array<GlobalOrdinal, Host> column;  ///< global indices, distinct within a row, in any order
  Array<double, Host> value;
};

/// Sorts the entries [from, to) of a row by column.
template <class Column>
void sort_row(Column* column, double* value, Offset from, Offset to) {
  if (std::is_sorted(column + from, column + to)) return;
  std::vector<std::pair<Column, double>> entries;
  for (auto k = from; k < to; ++k) entries.emplace_back(column[k], value[k]);
  std::sort(entries.begin(), entries.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  for (auto k = from; k < to; ++k)
    std::tie(column[k], value[k]) = entries[static_cast<std::size_t>(k - from)];
}

/// The map of `equations` x nodes indices from 0, in contiguous blocks of ranks. The numbers of nodes differ
/// by at most one, with the larger ones first. Collective. \throws core::InvalidInput, on every rank, if a
/// rank would own 2^31 indices or more
Teuchos::RCP<Map const> block_map(GlobalIndex nodes, int equations,
                                  Teuchos::RCP<Teuchos::Comm<int> const> const& comm);

/// The fill-complete square matrix with these rows. map: contiguous on each rank, ranks in order (a
/// block_map). Columns within rows are sorted: owned ones first, then those of other ranks. Collective.
Teuchos::RCP<CrsMatrix> assemble(Teuchos::RCP<Map const> const& map, GlobalRows const& rows);

/// A copy whose local rows and columns are those of the maps. Collective.
Teuchos::RCP<CrsMatrix> crs_matrix(sparse::CsrView<double> const& A, Teuchos::RCP<Map const> const& rows,
                                   Teuchos::RCP<Map const> const& columns);

/// A copy of a square matrix on the same ranks, with a communicator of its own. columns: the global indices
/// of its local columns, owned ones first. Collective.
Teuchos::RCP<CrsMatrix> crs_matrix(sparse::CsrView<double> const& A, comm::Distribution const& rows,
                                   std::vector<GlobalIndex> const& columns);

}  // namespace Tessera::tpetra
