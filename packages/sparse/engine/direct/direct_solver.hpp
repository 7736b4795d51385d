#pragma once
/// \file
/// The interface of third-party sparse direct solvers, and cuDSS, NVIDIA's solver on GPUs.
#include <functional>
#include <memory>
#include <string>

#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// A factored matrix on one rank, with vectors in a space.
template <class Space>
class DirectSolver {
 public:
  virtual ~DirectSolver() = default;
  /// x = A^-1 b. Not collective.
  virtual void solve(Space const& space, Span<double const> b, Span<double> x) = 0;
  /// Factors new values on the same pattern. Not collective. \throws as DirectSolvers::make
  virtual void refactor(Space const& space, Csr<double, Space> const& A) = 0;
  /// Entries stored in the factors; 0: unknown.
  virtual GlobalIndex factor_entries() const = 0;
};

/// A kind of direct solver.
template <class Space>
struct DirectSolvers {
  std::string name;  ///< name in reports
  /// Factors a square matrix of this rank, which is not read later. Not collective. Empty: there is no
  /// solver. \throws std::exception if the matrix cannot be factored
  std::function<std::unique_ptr<DirectSolver<Space>>(Space const& space, Csr<double, Space> const& A)> make;
};

/// Factors the lower triangle of a symmetric positive definite matrix by version 1 of libcudss. The same
/// matrix gives the same bits. The solvers throw core::NumericalError if the matrix is not positive definite.
/// \throws core::Unavailable if the space is not on a GPU or libcudss cannot be loaded
template <class Space>
DirectSolvers<Space> cudss_solvers();

}  // namespace Tessera::sparse
