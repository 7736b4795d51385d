#include "belos/linear_solver.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <array>
#include <chrono>

#include "Tessera_Details_Create.hpp"
#include "core/error.hpp"
#include "core/transfer_bytes.hpp"
#include "ifpack2/any_operator.hpp"

namespace Tessera::belos {
namespace {

using Comm = Teuchos::Comm<int>;

template <std::size_t N>
std::array<double, N> largest(Comm const& comm, std::array<double, N> const& mine) {
  std::array<double, N> all{};
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, static_cast<int>(N), mine.data(), all.data());
  return all;
}

/// Of all ranks, since a moment.
class Bytes {
 public:
  void sum_up(Comm const& comm, std::size_t& to_device, std::size_t& to_host) const {
    auto const moved = core::transferred_bytes() - start_;
    std::array<long long, 2> const mine{static_cast<long long>(moved.to_device),
                                        static_cast<long long>(moved.to_host)};
    std::array<long long, 2> all{};
    Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, 2, mine.data(), all.data());
    to_device = static_cast<std::size_t>(all[0]);
    to_host = static_cast<std::size_t>(all[1]);
  }

 private:
  core::TransferBytes start_ = core::transferred_bytes();
};

double transfer_seconds(LinearSolver::Preconditioner const& M) {
  return M.inPlace() == nullptr ? 0 : M.inPlace()->transfer_seconds();
}

}  // namespace

void require_complete(std::string const& caller, Tpetra::RowMatrix<> const* A) {
  TESSERA_VALIDATE(A != nullptr, caller, ": the matrix is a null pointer; give one that is fill-complete");
  TESSERA_VALIDATE(A->isFillComplete(), caller,
                   ": the matrix is not fill-complete; call fillComplete() before");
}

void require_fitting(std::string const& caller, Tpetra::RowMatrix<> const& A, Tpetra::MultiVector<> const& b,
                     Tpetra::MultiVector<> const& x) {
  TESSERA_VALIDATE(b.getNumVectors() > 0, caller, ": b has no columns; give a right-hand side at least");
  TESSERA_VALIDATE(b.getNumVectors() == x.getNumVectors() && b.getMap()->isSameAs(*A.getRowMap()) &&
                       x.getMap()->isSameAs(*A.getRowMap()),
                   caller, ": b and x must lie on the matrix' row map and have equally many columns");
  TESSERA_VALIDATE(largest<1>(*A.getComm(), {b.aliases(x) ? 1.0 : 0.0})[0] == 0, caller,
                   ": b and x share memory; give x vectors of its own");
}

void LinearSolver::set_up(Teuchos::RCP<Matrix const> const& A, Teuchos::ParameterList const* preconditioner,
                          Teuchos::RCP<Matrix const> const& of) {
  prepared_.reset();
  setup_ = {};
  A_ = A;
  if (preconditioner == nullptr) {
    own_ = Teuchos::null;
    prepared_.emplace(A, Teuchos::null);
    return;
  }
  Bytes const bytes;
  auto const start = std::chrono::steady_clock::now();
  double const before = own_.is_null() ? 0 : transfer_seconds(*own_);
  own_ = Details::create(*preconditioner, of, own_);
  double const read = own_->readingSeconds();
  own_->compute();
  std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
  setup_.what = own_->lastCompute();
  // What a setup makes counts its transfers from zero.
  double const moving = transfer_seconds(*own_) - (setup_.what == "setup" ? 0 : before);
  double const reading = own_->readingSeconds() - read;
  auto const all = largest<2>(*A->getComm(), {seconds.count() - moving - reading, moving + reading});
  setup_.seconds = all[0];
  setup_.transfer_seconds = all[1];
  bytes.sum_up(*A->getComm(), setup_.bytes_to_device, setup_.bytes_to_host);
  prepared_.emplace(A, own_);
}

void LinearSolver::take(Teuchos::RCP<Matrix const> const& A, Teuchos::RCP<Preconditioner const> const& M) {
  setup_ = {};
  A_ = A;
  prepared_.emplace(A, M, false);
}

void LinearSolver::forget_matrix() {
  prepared_.reset();
  A_ = Teuchos::null;
}

SolveReport LinearSolver::solve(KrylovChoice const& choice, Vectors const& b, Vectors& x) const {
  TESSERA_EXPECT(is_ready());
  Bytes const bytes;
  auto const outcome = prepared_->solve(choice, Teuchos::rcpFromRef(b), Teuchos::rcpFromRef(x), false);
  SolveReport report;
  report.converged = outcome.converged;
  report.status = outcome.status;
  report.reason = outcome.reason;
  report.iterations = outcome.iterations;
  report.relativeResidual = outcome.relative_residual;
  report.reduction = outcome.reduction;
  report.roundingLevel = outcome.rounding_level;
  report.backwardError = outcome.backward_error;
  report.solver = outcome.solver;
  report.backend = outcome.backend;
  auto const seconds =
      largest<3>(*A_->getComm(), {outcome.transfer_seconds, outcome.setup_seconds, outcome.seconds});
  report.uploadSeconds = seconds[0];
  report.setupSeconds = seconds[1];
  report.solveSeconds = seconds[2];
  bytes.sum_up(*A_->getComm(), report.bytesToDevice, report.bytesToHost);
  return report;
}

}  // namespace Tessera::belos
