#pragma once
/// \file
/// The border: a Tpetra matrix as Tessera's distributed matrix.
#include <memory>
#include <vector>

#include "comm/dist_csr.hpp"
#include "core/error.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// The Tpetra matrix' local column -> column of A.
struct ColumnNumbers {
  struct View {
    std::size_t count;
    Index const* listed;  ///< null: the same
    Index operator[](std::size_t c) const { return listed == nullptr ? static_cast<Index>(c) : listed[c]; }
  };
  std::size_t count = 0;
  Array<Index, Host> listed;  ///< empty: the same

  View view() const { return {count, listed.data()}; }
};

/// A Tpetra matrix as a distributed matrix. Row i of this rank is local row i of the Tpetra matrix: vectors
/// need no permutation. Entries keep their order within rows. Where Tpetra numbers its local columns as we do
/// (contiguous maps) in the memory of the host, A lies in Tpetra's memory; elsewhere it is a copy.
struct ImportedMatrix {
  comm::DistCsr<double, Host> A;
  ColumnNumbers column_of;  ///< import_values compares patterns through it
  /// What keeps alive the memory that A lies in; null where A is a copy.
  std::shared_ptr<void const> lent_pattern, lent_values;
};

/// New values came on a pattern other than the one imported.
struct PatternChanged : core::InvalidInput {
  using core::InvalidInput::InvalidInput;
};

/// Refuses a matrix whose rows are no vector's: not fill complete, rectangular, of blocks, a row on several
/// ranks, or row, domain and range map not the same. Collective. \throws core::InvalidInput on every rank
void require_square(RowMatrix const& A);

/// Any fill-complete matrix: row map contiguous or not, ranks with no rows or no neighbours. Rows are
/// numbered contiguously by rank, in local order; the numbers of the ghosts are asked of the domain map's
/// directory. Collective. \throws core::InvalidInput, on every rank: as require_square(); a row with several
/// entries in one column, or with more or fewer entries than the matrix says; global indices 2^62 apart
ImportedMatrix import_matrix(RowMatrix const& A);

/// Ids of the owned rows.
struct RowIds {
  std::size_t size = 0;
  VertexId first = 0;            ///< and so on, where none are listed
  std::vector<VertexId> listed;  ///< of maps that are not contiguous

  VertexId operator[](std::size_t i) const {
    return listed.empty() ? first + static_cast<VertexId>(i) : listed[i];
  }
};

/// The user's global indices less the least of them, hence non-negative, distinct and independent of the
/// number of ranks where the user's are.
RowIds row_ids(Map const& map);

/// Takes the values of A, which has the pattern that `imported` was made from. Allocates nothing (but for row
/// matrices that are not Tpetra::CrsMatrix). Collective.
/// \throws PatternChanged, on every rank; the values of `imported` are then unusable
void import_values(RowMatrix const& A, ImportedMatrix& imported);

}  // namespace Tessera::tpetra
