#pragma once
/// \file
/// Multivectors that live where the preconditioner does: in the memory of a GPU, or of the host.
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

/// Columns of doubles, distributed by rows. Copying an object copies what it refers to, not the numbers:
/// views are cheap. Work on a GPU is ordered by the stream of its residence and not waited for, but for what
/// returns numbers. Vectors of different residences do not meet. Made by Tessera::ResidentSystem, or like
/// another one.
///
/// All functions that return numbers are collective. \throws std::invalid_argument where shapes do not fit
class ResidentMultiVector {
 public:
  using DenseMatrix = Teuchos::SerialDenseMatrix<int, double>;

  /// Uninitialised columns with the rows and in the memory of `like`.
  ResidentMultiVector(ResidentMultiVector const& like, int columns);
  ResidentMultiVector(std::shared_ptr<belos::Residence const> residence, int columns);
  /// Columns whose memory is somebody else's: pointers as column() returns them.
  ResidentMultiVector(ResidentMultiVector const& like, std::vector<double*> columns);
  ResidentMultiVector(std::shared_ptr<belos::Residence const> residence, std::vector<double*> columns);

  int columns() const { return static_cast<int>(columns_.size()); }
  std::size_t localRows() const;
  std::ptrdiff_t globalRows() const;
  /// "host" or "cuda".
  char const* backend() const;
  /// Where column j begins, in the memory of the back end; localRows() numbers.
  double* column(int j) { return columns_.at(static_cast<std::size_t>(j)); }
  double const* column(int j) const { return columns_.at(static_cast<std::size_t>(j)); }

  /// The same memory; in any order, with repetitions. It lives as long as any object that refers to it.
  Teuchos::RCP<ResidentMultiVector> view(std::vector<int> const& columns);
  Teuchos::RCP<ResidentMultiVector const> view(std::vector<int> const& columns) const;

  /// The first A.columns() columns become those of A.
  void assign(ResidentMultiVector const& A);
  /// This becomes alpha A + beta B; either may be this one. What has the coefficient 0 is not read.
  void combine(double alpha, ResidentMultiVector const& A, double beta, ResidentMultiVector const& B);
  /// One factor a column.
  void scale(std::vector<double> const& factors);
  /// This becomes alpha A B + beta this, with the small matrix B of the host.
  void multiplyAdd(double alpha, ResidentMultiVector const& A, DenseMatrix const& B, double beta);
  void fill(double value);
  /// Uniform in [-1, 1). Different at each call, but the same in each run and for any number of ranks.
  void randomise();

  /// Inner products of the columns with those of B, pair by pair.
  std::vector<double> dots(ResidentMultiVector const& B) const;
  /// C = alpha this^T B.
  void innerProducts(double alpha, ResidentMultiVector const& B, DenseMatrix& C) const;
  std::vector<double> norms2() const;
  std::vector<double> norms1() const;
  std::vector<double> normsInf() const;

  /// All rows, by rank 0.
  void print(std::ostream& out) const;

  /// Row i is local row i of the Tpetra vector; as many columns.
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
