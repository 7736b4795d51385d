#pragma once
/// \file
/// LAPACK on small dense matrices.
#include <vector>

#include "oracle/dense.hpp"

namespace Tessera::oracle {

/// Solves A x = b by LU with partial pivoting. \throws std::runtime_error if A is singular
std::vector<double> solve(Dense const& A, std::vector<double> const& b);

/// Least-squares solution of least norm, singular values below 1e-12 times the largest cut off.
std::vector<double> solve_least_squares(Dense const& A, std::vector<double> const& b);

/// Whether a Cholesky factorisation of the symmetric A succeeds.
bool is_positive_definite(Dense const& A);

/// Lower triangular L with A = L L^T. \throws std::runtime_error if A is not positive definite
Dense cholesky(Dense const& A);

/// Eigenvalues of the symmetric A, ascending.
std::vector<double> symmetric_eigenvalues(Dense const& A);

/// Eigenvalues of A x = lambda B x, A symmetric, B symmetric positive definite, ascending.
std::vector<double> generalised_eigenvalues(Dense const& A, Dense const& B);

/// Largest modulus of the eigenvalues of a general A.
double spectral_radius(Dense const& A);

Dense inverse(Dense const& A);

/// L L^T of a symmetric positive definite matrix, within its band: rows * (bandwidth + 1) numbers. A
/// numbering with a small bandwidth makes it fast. \throws std::runtime_error if A is not positive definite
class BandCholesky {
 public:
  explicit BandCholesky(sparse::CsrView<double> A);
  std::vector<double> solve(std::vector<double> b) const;

 private:
  int rows_, bandwidth_ = 0;
  std::vector<double> band_;
};

}  // namespace Tessera::oracle
