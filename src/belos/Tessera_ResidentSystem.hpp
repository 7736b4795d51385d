#pragma once
/// \file
/// A matrix and its preconditioner on the preconditioner's back end, for Belos.
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <string>
#include <vector>

#include "Tessera_BelosTraits.hpp"

namespace Tessera {

/// The operators and vectors with which Belos solves A x = b wholly on a GPU (or wholly in Tessera's vectors
/// on the host):
///
/// \code
/// auto const M = Tessera::Factory::create<Tpetra::RowMatrix<>>("SA-AMG", A);
/// M->setParameters(list);  // `backend: type` says where
/// M->compute();
/// Tessera::ResidentSystem const system(M);
/// auto const b = system.upload(*b_tpetra), x = system.vectors(1);
/// Belos::LinearProblem<double, Tessera::ResidentMultiVector, Tessera::ResidentOperator> problem(
///     system.matrix(), x, b);
/// problem.setRightPrec(system.preconditioner());
/// ...
/// system.download(*x, *x_tpetra);
/// \endcode
class ResidentSystem {
 public:
  /// M: a computed preconditioner of Tessera. It is kept alive, and must not be computed again while this
  /// object or its operators are used. Collective. \throws std::invalid_argument if M is another operator, or
  /// not computed
  explicit ResidentSystem(Teuchos::RCP<Tpetra::Operator<> const> const& M);
  /// The same with a copy of A, which has the same rows as M's matrix, but other entries or values.
  ResidentSystem(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
                 Teuchos::RCP<Tpetra::Operator<> const> const& M);
  /// A alone, copied, on the back end `host`, `cuda` or `auto`. Collective.
  /// \throws exceptions of SmoothedAggregation::initialize(); core::Unavailable for a missing back end
  static ResidentSystem ofMatrix(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
                                 std::string const& backend = "auto");

  Teuchos::RCP<ResidentOperator const> matrix() const { return matrix_; }
  /// Null if there is none.
  Teuchos::RCP<ResidentOperator const> preconditioner() const { return preconditioner_; }

  /// Uninitialised.
  Teuchos::RCP<ResidentMultiVector> vectors(int columns) const;
  /// Columns in memory of the caller on this back end, which must outlive the result.
  Teuchos::RCP<ResidentMultiVector> wrap(std::vector<double*> columns) const;
  /// Copies vectors on the matrix' row map.
  Teuchos::RCP<ResidentMultiVector> upload(Tpetra::MultiVector<> const& X) const;
  void download(ResidentMultiVector const& X, Tpetra::MultiVector<>& target) const { X.download(target); }

  /// Whether X has this system's rows and back end.
  bool fits(ResidentMultiVector const& X) const;
  /// "host" or "cuda".
  char const* backend() const;
  /// The CUDA stream (cudaStream_t) of all work on a GPU; null on the host.
  void* stream() const;

 private:
  ResidentSystem() = default;
  /// another: copied instead of M's matrix; may be null.
  ResidentSystem(Teuchos::RCP<Tpetra::Operator<> const> const& M, Tpetra::RowMatrix<> const* another);
  template <class Space>
  void take_copy(Space const& space, Tpetra::RowMatrix<> const& A);

  std::shared_ptr<belos::Residence const> residence_;
  Teuchos::RCP<ResidentOperator const> matrix_, preconditioner_;
};

}  // namespace Tessera
