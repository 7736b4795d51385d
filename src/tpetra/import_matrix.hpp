#pragma once
/// \file
/// The border to Tpetra: its matrices as Tessera's distributed matrices.
#include <memory>
#include <vector>

#include "comm/dist_csr.hpp"
#include "core/error.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Maps the Tpetra matrix' local columns to columns of A.
struct ColumnNumbers {
  struct View {
    std::size_t count;
    Index const* listed;  ///< null: the identity
    Index operator[](std::size_t c) const { return listed == nullptr ? static_cast<Index>(c) : listed[c]; }
  };
  std::size_t count = 0;
  Array<Index, Host> listed;  ///< empty: the identity

  View view() const { return {count, listed.data()}; }
};

/// A Tpetra matrix as a distributed matrix. Row i of this rank is local row i of the Tpetra matrix, so
/// vectors need no permutation. Entries keep their order within rows. A lies in Tpetra's memory if that is
/// the host's and if Tpetra numbers its local columns as Tessera does (contiguous maps); otherwise it is a
/// copy.
struct ImportedMatrix {
  comm::DistCsr<double, Host> A;
  ColumnNumbers column_of;  ///< import_values() compares patterns with it
  /// Owners of the memory that A lies in; null if A is a copy.
  std::shared_ptr<void const> lent_pattern, lent_values;
};

/// The pattern of the new values differs from the imported one.
struct PatternChanged : core::InvalidInput {
  PatternChanged()
      : core::InvalidInput(
            "the matrix' pattern is not the one the preconditioner was initialised with (new values are "
            "taken on the same pattern only): call initialize() again") {}
};

/// Rejects a matrix that is not fill-complete, is rectangular, consists of blocks, has a row on several
/// ranks, or has different row, domain and range maps. Collective. \throws core::InvalidInput on every rank
void require_square(RowMatrix const& A);

/// Imports any fill-complete matrix: the row map need not be contiguous, and ranks may have no rows or no
/// neighbours. Rows are numbered contiguously by rank, in local order; the domain map's directory gives the
/// numbers of ghosts. Collective. \throws core::InvalidInput, on every rank: as require_square(); for a row
/// with several entries in one column, or with another number of entries than the matrix reports; for global
/// indices 2^62 apart
ImportedMatrix import_matrix(RowMatrix const& A, comm::Communicator const& comm);
inline ImportedMatrix import_matrix(RowMatrix const& A) {
  return import_matrix(A, communicator(*A.getComm()));
}

/// Global ids of the owned rows.
struct RowIds {
  std::size_t size = 0;
  VertexId first = 0;            ///< consecutive ids from here on, if none are listed
  std::vector<VertexId> listed;  ///< of maps that are not contiguous

  VertexId operator[](std::size_t i) const {
    return listed.empty() ? first + static_cast<VertexId>(i) : listed[i];
  }
};

/// The user's global indices minus the smallest one: non-negative, distinct, and independent of the number of
/// ranks if the user's are.
RowIds row_ids(Map const& map);

/// Takes the values of A, which has the pattern of `imported`. Allocates nothing if A is a Tpetra::CrsMatrix.
/// Collective. \throws PatternChanged, on every rank; the values of `imported` are then unusable
void import_values(RowMatrix const& A, ImportedMatrix& imported);

}  // namespace Tessera::tpetra
