#pragma once
/// \file
/// Sparse direct solvers of the coarsest level, and their check.
#include <vector>

#include "core/array.hpp"
#include "sparse/engine/direct/direct_solver.hpp"

namespace Tessera::multigrid {

/// A solver of the host for vectors of another space, which it copies to the host and back.
template <class Space>
class ThroughHost final : public sparse::DirectSolver<Space> {
 public:
  explicit ThroughHost(std::unique_ptr<sparse::DirectSolver<Host>> solver) : solver_(std::move(solver)) {}

  void solve(Space const& space, Span<double const> b, Span<double> x) override {
    auto const on_host = core::to_vector(space, b);
    x_.resize(x.size());
    solver_->solve(Host{}, {on_host.data(), on_host.size()}, {x_.data(), x_.size()});
    core::copy(Host{}, Span<double const>(x_.data(), x_.size()), space, x);
    core::synchronize(space);  // the next solve may change the source
  }
  void refactor(Space const& space, sparse::Csr<double, Space> const& A) override {
    solver_->refactor(Host{}, sparse::copied<double>(space, A, Host{}));
  }
  GlobalIndex factor_entries() const override { return solver_->factor_entries(); }

 private:
  std::unique_ptr<sparse::DirectSolver<Host>> solver_;
  std::vector<double> x_;
};

template <class Space>
sparse::DirectSolvers<Space> through_host(sparse::DirectSolvers<Host> const& solvers) {
  if constexpr (std::is_same_v<Space, Host>) {
    return solvers;
  } else {
    return {solvers.name, [solvers](Space const& space, sparse::Csr<double, Space> const& A) {
              return std::make_unique<ThroughHost<Space>>(
                  solvers.make(Host{}, sparse::copied<double>(space, A, Host{})));
            }};
  }
}

/// Solves A x = b with b = 1 and checks x in the maximum norm. \throws core::NumericalError if the solver is
/// wrong, that is, the backward error ||b - A x|| / (||A|| ||x|| + ||b||) exceeds 1e-10, or if A is singular,
/// that is, ||A|| ||x|| / ||b||, a lower bound of the condition, exceeds 1e14. name: of the solver, for
/// messages
template <class Space>
void require_solution(std::string const& name, sparse::DirectSolver<Space>& solver, Space const& space,
                      sparse::CsrView<double> const& A);

}  // namespace Tessera::multigrid
