#pragma once
/// \file
/// The matrix that a preconditioner is made of: on the host, or read where a GPU has it.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "ifpack2/backend.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {

/// Reads a matrix in the GPU's memory in place, if back end and node are on the same GPU and
/// tpetra::device_matrix() allows it; all other matrices on the host. Row i is local row i of the Tpetra
/// matrix. Functions are collective, except rows() and the pointers.
class SystemMatrix {
 public:
  /// \throws as tpetra::import_matrix and comm::from_local, on every rank
  SystemMatrix(tpetra::RowMatrix const& A, comm::Communicator const& comm, Backend const& backend);

  /// Takes the values of A. \throws tpetra::PatternChanged, on every rank, if its pattern is another; the
  /// values are then unusable
  void read_values(tpetra::RowMatrix const& A);

  comm::Distribution const& rows() const { return on_device_ ? on_device_->rows : imported_->A.rows; }
  /// The matrix on one of the spaces; null on the other.
  comm::DistCsr<double, Host> const* on(Host const&) const { return imported_ ? &imported_->A : nullptr; }
  comm::DistCsr<double, Cuda> const* on(Cuda const&) const { return on_device_.get(); }

  /// Whether a new object for this back end would read the matrix in the same memory. Not collective.
  bool is_placed_for(Backend const& backend) const {
    return (on_device_ != nullptr) ==
           (tpetra::vectors_on_device && !std::holds_alternative<Host>(backend.space));
  }

  /// Largest |a_ij| on all ranks.
  double largest_entry() const;
  /// Checksum of this rank's pattern: sizes, columns in order, global ids of rows. Copies from a GPU.
  std::uint64_t pattern_checksum(tpetra::RowIds const& row_ids) const;
  /// Checksum of all ranks' entries.
  std::string checksum() const;

 private:
  template <class Work>
  auto visit(Work const& work) const;

  std::optional<tpetra::ImportedMatrix> imported_;
  std::shared_ptr<comm::DistCsr<double, Cuda>> on_device_;
  Cuda device_;
  std::uint64_t fingerprint_ = 0;  ///< of the pattern in the GPU's memory
  Teuchos::RCP<tpetra::Map const> column_map_;
};

}  // namespace Tessera::ifpack2
