#pragma once
/// \file
/// The border to sparse direct solvers, which are other people's: src/ hands them in.
#include <functional>
#include <memory>
#include <string>

#include "sparse/csr.hpp"

namespace Tessera::multigrid {

/// A matrix that is factored, on one rank of the host.
class DirectSolver {
 public:
  virtual ~DirectSolver() = default;
  /// x = A^-1 b. Not collective.
  virtual void solve(Span<double const> b, Span<double> x) = 0;
  /// Stored in the factors; 0: unknown.
  virtual GlobalIndex factor_entries() const = 0;
};

/// Who make them.
struct DirectSolvers {
  std::string name;  ///< as reports say it
  /// Of a square matrix that lies whole on this rank, and is not read later. Not collective. \throws
  /// std::exception where it cannot be factored. Empty: there is none.
  std::function<std::unique_ptr<DirectSolver>(sparse::CsrView<double> const& A)> make;
};

/// A solver of A, which solves A x = b, b = 1, with a backward error ||b - A x|| / (||A|| ||x|| + ||b||) of
/// at most 1e-10 in the maximum norm, and for which ||A|| ||x|| / ||b||, which bounds the condition from
/// below, is at most 1e14: others do not solve what they should, or A is singular. \throws
/// core::NumericalError saying which
std::unique_ptr<DirectSolver> factored_and_checked(DirectSolvers const& solvers,
                                                   sparse::CsrView<double> const& A);

/// The same of a matrix on any space.
template <class Space>
std::unique_ptr<DirectSolver> factored_and_checked(DirectSolvers const& solvers, Space const& space,
                                                   sparse::Csr<double, Space> const& A) {
  auto const on_host = sparse::copied<double>(space, A, Host{});
  return factored_and_checked(solvers, on_host.view());
}

}  // namespace Tessera::multigrid
