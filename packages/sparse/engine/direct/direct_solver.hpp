#pragma once
/// \file
/// The border to sparse direct solvers, which are other people's.
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

}  // namespace Tessera::sparse
