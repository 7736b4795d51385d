#pragma once
/// \file
/// The quality of aggregates by Brannick et al. 2013, section 5.1.
#include <vector>

#include "oracle/lapack.hpp"

namespace Tessera::papers {

/// A symmetric positive definite, or the Laplacian of a connected graph (constants in the kernel), factored.
class Energy {
 public:
  Energy(sparse::CsrView<double> A, bool constants_in_kernel);

  sparse::CsrView<double> matrix() const { return A_; }
  /// A^-1 b; for a Laplacian, and b whose entries sum to zero, one of the solutions.
  std::vector<double> solve(std::vector<double> b) const { return factor_.solve(std::move(b)); }

 private:
  sparse::CsrView<double> A_;
  oracle::BandCholesky factor_;
};

/// The number of rows per aggregate. aggregate: of each row, from 0 without gaps; -1: none.
double coarsening_ratio(std::vector<Index> const& aggregate);

/// |Q|_A^2 for Q = P (P^T P)^-1 P^T, the l2 projection onto vectors that are constant on each aggregate and 0
/// elsewhere. It is the largest eigenvalue of A^-1 Q A Q, by Lanczos' method in A's inner product: a lower
/// bound, to about four digits. In a Laplacian, all rows must have an aggregate. \throws std::runtime_error
/// if it does not converge
double projection_energy(Energy const& A, std::vector<Index> const& aggregate);

/// The same from dense matrices, for small problems.
double projection_energy_dense(sparse::CsrView<double> A, bool constants_in_kernel,
                               std::vector<Index> const& aggregate);

/// Aggregates of aggregates, as aggregates of the fine level (tables 5.6 and 5.7).
std::vector<Index> composed(std::vector<Index> const& fine, std::vector<Index> const& coarse);

}  // namespace Tessera::papers
