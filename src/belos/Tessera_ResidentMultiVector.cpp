#include "Tessera_ResidentMultiVector.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <ostream>

#include "belos/operators.hpp"
#include "comm/from_local.hpp"
#include "core/error.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera {
namespace {

sparse::ColumnList list(std::vector<double*> const& columns) {
  return {columns.data(), columns.size()};
}

sparse::ConstColumnList const_list(std::vector<double*> const& columns) {
  return {columns.data(), columns.size()};
}

void combine_columns(belos::Residence const& residence, std::vector<double> const& alpha,
                     std::vector<double*> const& a, std::vector<double> const& beta,
                     std::vector<double*> const& b, sparse::ColumnList y) {
  residence.on_space([&](auto const& space) {
    sparse::combine(space, residence.local_rows(), {alpha.data(), y.size()}, const_list(a),
                    {beta.data(), y.size()}, const_list(b), y);
  });
}

/// The sums over all ranks. Collective, one message for all columns.
std::vector<double> dots_of(belos::Residence const& residence, sparse::ConstColumnList x,
                            sparse::ConstColumnList y) {
  auto values = residence.on_space(
      [&](auto const& space) { return sparse::dots(space, residence.local_rows(), x, y); });
  residence.rows().comm().sum(values);
  return values;
}

/// The first random number stream of a call. Every rank makes the same calls and gets the same streams.
std::uint64_t next_seed(std::size_t columns) {
  static std::atomic<std::uint64_t> used{0};
  return used.fetch_add(columns);
}

bool is_diagonal(ResidentMultiVector::DenseMatrix const& B) {
  if (B.numRows() != B.numCols()) return false;
  for (int j = 0; j < B.numCols(); ++j) {
    for (int i = 0; i < B.numRows(); ++i)
      if (i != j && B(i, j) != 0) return false;
  }
  return true;
}

}  // namespace

void ResidentMultiVector::require(bool condition, char const* function, char const* what) const {
  TESSERA_VALIDATE(condition, "Tessera::ResidentMultiVector::", function, ": ", what);
}

void ResidentMultiVector::require_same_rows(ResidentMultiVector const& B, char const* function) const {
  require(residence_ == B.residence_, function,
          "the vectors differ in their back end or distribution of rows; make one like the other");
}

void ResidentMultiVector::require_shape(Tpetra::MultiVector<> const& X, char const* function) const {
  // All ranks detect another global length.
  require(X.getNumVectors() == columns_.size() &&
              X.getGlobalLength() == static_cast<Tpetra::global_size_t>(globalRows()) &&
              X.getLocalLength() == localRows(),
          function, "the Tpetra vector has another shape");
}

ResidentMultiVector::ResidentMultiVector(ResidentMultiVector const& like, int columns)
    : ResidentMultiVector(like.residence_, columns) {}

ResidentMultiVector::ResidentMultiVector(std::shared_ptr<belos::Residence const> residence, int columns)
    : residence_(std::move(residence)) {
  require(columns > 0, "ResidentMultiVector", "the number of columns is not positive");
  memory_ = residence_->allocate(static_cast<std::size_t>(columns));
  for (int j = 0; j < columns; ++j) columns_.push_back(memory_.get() + j * localRows());
}

ResidentMultiVector::ResidentMultiVector(ResidentMultiVector const& like, std::vector<double*> columns)
    : ResidentMultiVector(like.residence_, std::move(columns)) {}

ResidentMultiVector::ResidentMultiVector(std::shared_ptr<belos::Residence const> residence,
                                         std::vector<double*> columns)
    : residence_(std::move(residence)), columns_(std::move(columns)) {}

std::size_t ResidentMultiVector::localRows() const {
  return residence_->local_rows();
}

std::ptrdiff_t ResidentMultiVector::globalRows() const {
  return residence_->rows().global_size();
}

char const* ResidentMultiVector::backend() const {
  return residence_->backend();
}

Teuchos::RCP<ResidentMultiVector> ResidentMultiVector::view(std::vector<int> const& columns) {
  auto const result = Teuchos::rcp(new ResidentMultiVector(*this));
  result->columns_.clear();
  for (int j : columns) {
    require(0 <= j && j < this->columns(), "view", "there is no such column");
    result->columns_.push_back(columns_[static_cast<std::size_t>(j)]);
  }
  return result;
}

Teuchos::RCP<ResidentMultiVector const> ResidentMultiVector::view(std::vector<int> const& columns) const {
  return ResidentMultiVector(*this).view(columns);
}

bool ResidentMultiVector::shares_columns(ResidentMultiVector const& B) const {
  if (localRows() == 0) return false;  // all pointers are null
  return std::any_of(columns_.begin(), columns_.end(), [&](double* column) {
    return std::find(B.columns_.begin(), B.columns_.end(), column) != B.columns_.end();
  });
}

void ResidentMultiVector::assign(ResidentMultiVector const& A) {
  require_same_rows(A, "assign");
  require(A.columns() <= columns(), "assign", "there are more columns to assign than columns");
  std::vector<double> const one(A.columns_.size(), 1.0), zero(A.columns_.size(), 0.0);
  combine_columns(*residence_, one, A.columns_, zero, A.columns_, {columns_.data(), A.columns_.size()});
}

void ResidentMultiVector::combine(double alpha, ResidentMultiVector const& A, double beta,
                                  ResidentMultiVector const& B) {
  require_same_rows(A, "combine");
  require_same_rows(B, "combine");
  require(A.columns() == columns() && B.columns() == columns(), "combine",
          "the vectors have different numbers of columns");
  std::vector<double> const a(columns_.size(), alpha), b(columns_.size(), beta);
  combine_columns(*residence_, a, A.columns_, b, B.columns_, list(columns_));
}

void ResidentMultiVector::scale(std::vector<double> const& factors) {
  require(factors.size() >= columns_.size(), "scale", "there are fewer factors than columns");
  std::vector<double> const zero(columns_.size(), 0.0);
  combine_columns(*residence_, factors, columns_, zero, columns_, list(columns_));
}

void ResidentMultiVector::multiplyAdd(double alpha, ResidentMultiVector const& A, DenseMatrix const& B,
                                      double beta) {
  require_same_rows(A, "multiplyAdd");
  require(B.numRows() == A.columns() && B.numCols() == columns(), "multiplyAdd",
          "the small matrix has another shape than the product asks for");
  if (is_diagonal(B)) {  // pseudo-block methods need no other products
    std::vector<double> diagonal, rest(columns_.size(), beta);
    for (int j = 0; j < columns(); ++j) diagonal.push_back(alpha * B(j, j));
    return combine_columns(*residence_, diagonal, A.columns_, rest, columns_, list(columns_));
  }
  if (shares_columns(A)) {
    ResidentMultiVector copy(A, A.columns());
    copy.assign(A);
    return multiplyAdd(alpha, copy, B, beta);
  }
  residence_->on_space([&](auto const& space) {
    sparse::multiply_add(space, localRows(), alpha, const_list(A.columns_), B.values(),
                         static_cast<std::size_t>(B.stride()), beta, list(columns_));
  });
}

void ResidentMultiVector::fill(double value) {
  residence_->on_space([&](auto const& space) { sparse::fill(space, localRows(), value, list(columns_)); });
}

void ResidentMultiVector::randomise() {
  residence_->randomise(next_seed(columns_.size()), list(columns_));
}

std::vector<double> ResidentMultiVector::dots(ResidentMultiVector const& B) const {
  require_same_rows(B, "dots");
  require(B.columns() == columns(), "dots", "the vectors have different numbers of columns");
  return dots_of(*residence_, const_list(columns_), const_list(B.columns_));
}

void ResidentMultiVector::innerProducts(double alpha, ResidentMultiVector const& B, DenseMatrix& C) const {
  require_same_rows(B, "innerProducts");
  require(C.numRows() == columns() && C.numCols() == B.columns(), "innerProducts",
          "the small matrix has another shape than the products");
  std::vector<double*> left, right;
  for (double* b : B.columns_) {
    left.insert(left.end(), columns_.begin(), columns_.end());
    right.insert(right.end(), columns_.size(), b);
  }
  auto const products = dots_of(*residence_, const_list(left), const_list(right));
  for (int j = 0; j < C.numCols(); ++j) {
    for (int i = 0; i < C.numRows(); ++i)
      C(i, j) = alpha * products[static_cast<std::size_t>(j) * C.numRows() + i];
  }
}

std::vector<double> ResidentMultiVector::norms2() const {
  auto norms = dots_of(*residence_, const_list(columns_), const_list(columns_));
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

std::vector<double> ResidentMultiVector::norms1() const {
  auto sums = residence_->on_space(
      [&](auto const& space) { return sparse::absolute_sums(space, localRows(), const_list(columns_)); });
  residence_->rows().comm().sum(sums);
  return sums;
}

std::vector<double> ResidentMultiVector::normsInf() const {
  std::vector<double> maxima;
  for (double const* column : columns_) {
    maxima.push_back(residence_->rows().comm().max(residence_->on_space([&](auto const& space) {
      return comm::largest_magnitude(space, {column, localRows()});
    })));
  }
  return maxima;
}

void ResidentMultiVector::print(std::ostream& out) const {
  auto const& comm = residence_->rows().comm();
  std::vector<std::vector<double>> all;
  for (double* column : columns_) {
    std::vector<double> mine(localRows());
    residence_->download(column, {mine.data(), mine.size()});
    all.push_back(comm.all_gather(mine));
  }
  if (comm.rank() != 0) return;
  for (std::size_t i = 0; i < static_cast<std::size_t>(globalRows()); ++i) {
    out << i << ":";
    for (auto const& column : all) out << " " << column[i];
    out << "\n";
  }
}

void ResidentMultiVector::upload(Tpetra::MultiVector<> const& X) {
  require_shape(X, "upload");
  tpetra::ReadColumns const source(X);
  for (std::size_t j = 0; j < columns_.size(); ++j) residence_->upload(source[j], columns_[j]);
}

void ResidentMultiVector::download(Tpetra::MultiVector<>& X) const {
  require_shape(X, "download");
  tpetra::WriteColumns const target(X, tpetra::Before::forgotten);
  for (std::size_t j = 0; j < columns_.size(); ++j) residence_->download(columns_[j], target[j]);
}

}  // namespace Tessera
