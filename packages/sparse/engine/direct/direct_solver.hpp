#pragma once
/// \file
/// The interface of third-party sparse direct solvers, and cuDSS, NVIDIA's solver on GPUs.
#include <functional>
#include <memory>
#include <string>

#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// A matrix that is factored, on one rank, and whose vectors lie in a space.
template <class Space>
class DirectSolver {
 public:
  virtual ~DirectSolver() = default;
  /// x = A^-1 b. Not collective.
  virtual void solve(Space const& space, Span<double const> b, Span<double> x) = 0;
  /// Factors new values on the same pattern. Not collective. \throws as DirectSolvers::make
  virtual void refactor(Space const& space, Csr<double, Space> const& A) = 0;
  /// Stored in the factors; 0: unknown.
  virtual GlobalIndex factor_entries() const = 0;
};

/// Who make them.
template <class Space>
struct DirectSolvers {
  std::string name;  ///< as reports say it
  /// Of a square matrix that lies whole on this rank, and is not read later. Not collective. \throws
  /// std::exception where it cannot be factored. Empty: there is none.
  std::function<std::unique_ptr<DirectSolver<Space>>(Space const& space, Csr<double, Space> const& A)> make;
};

/// Factors of a symmetric positive definite matrix, whose lower triangle is read, by version 1 of libcudss.
/// The same matrix gives the same bits. \throws core::Unavailable where the space is not a GPU's, or has no
/// such library; the solvers throw core::NumericalError of a matrix that is not positive definite
template <class Space>
DirectSolvers<Space> cudss_solvers();

}  // namespace Tessera::sparse
