#include "oracle/lapack.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

extern "C" {
void dgesv_(int const*, int const*, double*, int const*, int*, double*, int const*, int*);
void dgelss_(int const*, int const*, int const*, double*, int const*, double*, int const*, double*,
             double const*, int*, double*, int const*, int*);
void dpotrf_(char const*, int const*, double*, int const*, int*);
void dsyev_(char const*, char const*, int const*, double*, int const*, double*, double*, int const*, int*);
void dsygv_(int const*, char const*, char const*, int const*, double*, int const*, double*, int const*,
            double*, double*, int const*, int*);
void dpbtrf_(char const*, int const*, int const*, double*, int const*, int*);
void dpbtrs_(char const*, int const*, int const*, int const*, double const*, int const*, double*, int const*,
             int*);
void dgeev_(char const*, char const*, int const*, double*, int const*, double*, double*, double*, int const*,
            double*, int const*, double*, int const*, int*);
}

namespace Tessera::oracle {
namespace {

void require(bool condition, char const* what) {
  if (!condition) throw std::runtime_error(what);
}

/// LAPACK refuses a leading dimension of 0.
int leading(Index n) {
  return std::max(n, 1);
}

}  // namespace

std::vector<double> solve(Dense const& A, std::vector<double> const& b) {
  auto lu = transposed(A);  // column-major
  auto x = b;
  int const n = A.rows, one = 1, ld = leading(n);
  std::vector<int> pivot(ld);
  int info = 0;
  dgesv_(&n, &one, lu.value.data(), &ld, pivot.data(), x.data(), &ld, &info);
  require(info == 0, "the matrix is singular");
  return x;
}

std::vector<double> solve_least_squares(Dense const& A, std::vector<double> const& b) {
  auto work_matrix = transposed(A);
  auto x = b;
  x.resize(std::max(A.rows, A.columns), 0.0);
  int const m = A.rows, n = A.columns, one = 1, lda = leading(m), ldb = leading(static_cast<Index>(x.size()));
  double const cut = 1e-12;
  std::vector<double> singular(std::max(1, std::min(m, n))), work(64 * (m + n) + 64);
  int rank = 0, info = 0;
  int const size = static_cast<int>(work.size());
  dgelss_(&m, &n, &one, work_matrix.value.data(), &lda, x.data(), &ldb, singular.data(), &cut, &rank,
          work.data(), &size, &info);
  require(info == 0, "dgelss failed");
  x.resize(n);
  return x;
}

bool is_positive_definite(Dense const& A) {
  auto L = A;
  int const n = A.rows, ld = leading(n);
  int info = 0;
  dpotrf_("U", &n, L.value.data(), &ld, &info);
  return info == 0;
}

Dense cholesky(Dense const& A) {
  auto L = A;
  int const n = A.rows, ld = leading(n);
  int info = 0;
  dpotrf_("U", &n, L.value.data(), &ld, &info);  // column-major upper is row-major lower
  require(info == 0, "the matrix is not positive definite");
  for (Index i = 0; i < n; ++i) {
    for (Index j = i + 1; j < n; ++j) L(i, j) = 0;
  }
  return L;
}

std::vector<double> symmetric_eigenvalues(Dense const& A) {
  auto copy = A;
  int const n = A.rows, ld = leading(n), size = 64 * ld;
  std::vector<double> eigenvalues(n), work(size);
  int info = 0;
  dsyev_("N", "U", &n, copy.value.data(), &ld, eigenvalues.data(), work.data(), &size, &info);
  require(info == 0, "dsyev failed");
  return eigenvalues;
}

std::vector<double> generalised_eigenvalues(Dense const& A, Dense const& B) {
  auto a = A, b = B;
  int const kind = 1, n = A.rows, ld = leading(n), size = 64 * ld;
  std::vector<double> eigenvalues(n), work(size);
  int info = 0;
  dsygv_(&kind, "N", "U", &n, a.value.data(), &ld, b.value.data(), &ld, eigenvalues.data(), work.data(),
         &size, &info);
  require(info == 0, "dsygv failed");
  return eigenvalues;
}

double spectral_radius(Dense const& A) {
  auto copy = transposed(A);
  int const n = A.rows, ld = leading(n), one = 1, size = 64 * ld;
  std::vector<double> real(n), imaginary(n), work(size);
  double none = 0;
  int info = 0;
  dgeev_("N", "N", &n, copy.value.data(), &ld, real.data(), imaginary.data(), &none, &one, &none, &one,
         work.data(), &size, &info);
  require(info == 0, "dgeev failed");
  double radius = 0;
  for (Index i = 0; i < n; ++i) radius = std::max(radius, std::hypot(real[i], imaginary[i]));
  return radius;
}

Dense inverse(Dense const& A) {
  Dense result(A.rows, A.rows);
  for (Index j = 0; j < A.rows; ++j) {
    std::vector<double> unit(A.rows, 0.0);
    unit[j] = 1;
    auto const x = solve(A, unit);
    for (Index i = 0; i < A.rows; ++i) result(i, j) = x[i];
  }
  return result;
}

BandCholesky::BandCholesky(sparse::CsrView<double> A) : rows_(A.rows) {
  auto const each = [&](auto const& work) {
    for (Index i = 0; i < A.rows; ++i) {
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) work(i, A.column[k], A.value[k]);
    }
  };
  each([&](Index i, Index j, double) { bandwidth_ = std::max(bandwidth_, std::abs(i - j)); });
  int const lda = bandwidth_ + 1;
  band_.assign(static_cast<std::size_t>(rows_) * lda, 0.0);
  each([&](Index i, Index j,
           double value) {  // column-major: the lower triangle's column j, its diagonal first
    if (i >= j) band_[static_cast<std::size_t>(j) * lda + (i - j)] += value;
  });
  int info = 0;
  dpbtrf_("L", &rows_, &bandwidth_, band_.data(), &lda, &info);
  require(info == 0, "the matrix is not positive definite");
}

std::vector<double> BandCholesky::solve(std::vector<double> b) const {
  int const one = 1, lda = bandwidth_ + 1, ldb = leading(rows_);
  int info = 0;
  dpbtrs_("L", &rows_, &bandwidth_, &one, band_.data(), &lda, b.data(), &ldb, &info);
  require(info == 0, "dpbtrs failed");
  return b;
}

}  // namespace Tessera::oracle
