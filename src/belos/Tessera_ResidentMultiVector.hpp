#pragma once
/// \file
/// Multivectors in the memory of the preconditioner's back end: a GPU or the host.
#include <Teuchos_RCP.hpp>
#include <Teuchos_SerialDenseMatrix.hpp>
#include <Tpetra_MultiVector.hpp>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <vector>

namespace Tessera {

namespace belos {
class Residence;
}

/// Columns of doubles, distributed by rows. A copy of an object refers to the same numbers, so views are
/// cheap. Work on a GPU is enqueued on the stream of its residence; only functions that return numbers wait
/// for it. An operation accepts vectors of one residence only. Tessera::ResidentSystem makes the first
/// vectors, which serve as models for others.
///
/// All functions that return numbers are collective. \throws std::invalid_argument if shapes do not fit
class ResidentMultiVector {
 public:
  using DenseMatrix = Teuchos::SerialDenseMatrix<int, double>;

  /// Uninitialised columns with the rows and in the memory of `like`.
  ResidentMultiVector(ResidentMultiVector const& like, int columns);
  ResidentMultiVector(std::shared_ptr<belos::Residence const> residence, int columns);
  /// Columns in memory of the caller: pointers as column() returns them.
  ResidentMultiVector(ResidentMultiVector const& like, std::vector<double*> columns);
  ResidentMultiVector(std::shared_ptr<belos::Residence const> residence, std::vector<double*> columns);

  int columns() const { return static_cast<int>(columns_.size()); }
  std::size_t localRows() const;
  std::ptrdiff_t globalRows() const;
  /// "host" or "cuda".
  char const* backend() const;
  /// Pointer to the localRows() numbers of column j, in the memory of the back end.
  double* column(int j) { return columns_.at(static_cast<std::size_t>(j)); }
  double const* column(int j) const { return columns_.at(static_cast<std::size_t>(j)); }

  /// These columns, in any order and with repetitions, in the same memory, which lives as long as any object
  /// that refers to it.
  Teuchos::RCP<ResidentMultiVector> view(std::vector<int> const& columns);
  Teuchos::RCP<ResidentMultiVector const> view(std::vector<int> const& columns) const;

  /// Copies A to the first A.columns() columns.
  void assign(ResidentMultiVector const& A);
  /// this = alpha A + beta B; A or B may be this. A vector with the coefficient 0 is not read.
  void combine(double alpha, ResidentMultiVector const& A, double beta, ResidentMultiVector const& B);
  /// One factor per column.
  void scale(std::vector<double> const& factors);
  /// this = alpha A B + beta this, with the small matrix B on the host.
  void multiplyAdd(double alpha, ResidentMultiVector const& A, DenseMatrix const& B, double beta);
  void fill(double value);
  /// Uniform in [-1, 1). Different at each call, but the same in each run and for any number of ranks.
  void randomise();

  /// Dot products of column j with column j of B, for each j.
  std::vector<double> dots(ResidentMultiVector const& B) const;
  /// C = alpha this^T B.
  void innerProducts(double alpha, ResidentMultiVector const& B, DenseMatrix& C) const;
  std::vector<double> norms2() const;
  std::vector<double> norms1() const;
  std::vector<double> normsInf() const;

  /// Rank 0 prints all rows.
  void print(std::ostream& out) const;

  /// Copy from or to a Tpetra vector with equally many columns; row i is local row i.
  void upload(Tpetra::MultiVector<> const& X);
  void download(Tpetra::MultiVector<>& X) const;

  /// For Tessera's own use.
  belos::Residence const& residence() const { return *residence_; }

 private:
  void require(bool condition, char const* function, char const* what) const;
  void require_same_rows(ResidentMultiVector const& B, char const* function) const;
  void require_shape(Tpetra::MultiVector<> const& X, char const* function) const;
  bool shares_columns(ResidentMultiVector const& B) const;

  std::shared_ptr<belos::Residence const> residence_;
  std::shared_ptr<double> memory_;
  std::vector<double*> columns_;
};

}  // namespace Tessera
