#include "belos/linear_solver.hpp"

#include <BelosTpetraAdapter.hpp>
#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <array>
#include <utility>

#include "Tessera_Details_Preconditioner.hpp"
#include "belos/Tessera_ResidentSystem.hpp"
#include "belos/iterate_body.hpp"
#include "belos/nullspace.hpp"
#include "belos/scaled_system.hpp"
#include "belos/system_vectors.hpp"
#include "core/array.hpp"
#include "core/timer.hpp"
#include "ifpack2/any_operator.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "parameters/messages.hpp"
#include "parameters/selection.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/matrix_checks.hpp"
#include "tpetra/types.hpp"

namespace Tessera::belos {
namespace {

using Comm = Teuchos::Comm<int>;
using Ours = Details::Preconditioner;
using Vectors = LinearSolver::Vectors;

template <std::size_t N>
std::array<double, N> largest(Comm const& comm, std::array<double, N> const& mine) {
  std::array<double, N> all{};
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, static_cast<int>(N), mine.data(), all.data());
  return all;
}

/// The bytes that all ranks have transferred since construction.
class TransferCounter {
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

bool is_computed_ours(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M);
  return !ours.is_null() && ours->inPlace() != nullptr;
}

bool is_on_gpu(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  return is_computed_ours(M) && !dynamic_cast<Ours const&>(*M).inPlace()->device().empty();
}

/// Whether the preconditioner needs flexible conjugate gradients, such as a K-cycle.
bool needs_flexible(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M);
  return !ours.is_null() && !ours->hasTransposeApply();
}

/// Names a property that the solver requires and the preconditioner lacks: linear, or symmetric. Else empty.
std::string cycle_mismatch(KrylovChoice const& choice, std::string const& solver,
                           Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M);
  if (ours.is_null() || is_ours(solver) || parameters::is_flexible(solver, choice.parameters)) return {};
  if (ours->isLinear())
    return ours->hasTransposeApply() || !needs_definite_matrix(solver)
               ? ""
               : "; the preconditioner is not symmetric, as " + solver +
                     " needs it: take TESSERA FLEXIBLE CG, or a symmetric smoother and cycle";
  return "; the preconditioner's K-cycle is not linear, as " + solver +
         " needs it: take TESSERA FLEXIBLE CG, a GMRES with \"Flexible Gmres\" = true, or another `cycle "
         "type`";
}

/// Whether the list asks for the projection. Resets the parameter, so that the solver does not project again.
bool take_project_nullspace(KrylovChoice& choice) {
  auto& list = choice.parameters;
  if (!list.isParameter(project_nullspace) || !list.get<bool>(project_nullspace)) return false;
  list.set(project_nullspace, false);
  return true;
}

/// The outcome for an unchanged X, because no solver can reduce the residual.
SolveOutcome unsolved(KrylovChoice const& choice, Tpetra::Operator<> const& A, Vectors const& B,
                      Vectors const& X, std::string const& reason) {
  SolveOutcome outcome;
  outcome.solver = choice.solver;
  outcome.reason = reason;
  outcome.reduction = 1;
  Vectors R(B.getMap(), B.getNumVectors());
  std::vector<double> b_norms(B.getNumVectors());
  B.norm2(Teuchos::arrayViewFromVector(b_norms));
  outcome.relativeResidual = largest_ratio(residual_norms(A, B, X, R), b_norms);
  outcome.history = {{0, outcome.relativeResidual}};
  return outcome;
}

}  // namespace

template SolveOutcome iterate(KrylovChoice const&, Teuchos::RCP<ResidentOperator const> const&,
                              Teuchos::RCP<ResidentOperator const> const&,
                              Teuchos::RCP<ResidentMultiVector const> const&,
                              Teuchos::RCP<ResidentMultiVector> const&, bool, KeptResident&);

void require_complete(std::string const& caller, Tpetra::RowMatrix<> const* A) {
  TESSERA_VALIDATE(A != nullptr, caller, ": the matrix is a null pointer; give one that is fill-complete");
  TESSERA_VALIDATE(A->isFillComplete(), caller,
                   ": the matrix is not fill-complete; call fillComplete() before");
  try {
    tpetra::require_square(*A);
  } catch (core::InvalidInput const& error) {
    throw core::InvalidInput(caller + ": " + error.what());
  }
}

void require_fitting(std::string const& caller, Tpetra::RowMatrix<> const& A, Vectors const& b,
                     Vectors const& x) {
  TESSERA_VALIDATE(b.getNumVectors() > 0, caller, ": b has no columns; give a right-hand side at least");
  TESSERA_VALIDATE(b.getNumVectors() == x.getNumVectors() && b.getMap()->isSameAs(*A.getRowMap()) &&
                       x.getMap()->isSameAs(*A.getRowMap()),
                   caller, ": b and x must lie on the matrix' row map and have equally many columns");
  TESSERA_VALIDATE(largest<1>(*A.getComm(), {b.aliases(x) ? 1.0 : 0.0})[0] == 0, caller,
                   ": b and x share memory; give x vectors of its own");
}

void LinearSolver::set_up(Teuchos::RCP<Matrix const> const& A, Teuchos::ParameterList const* preconditioner,
                          Teuchos::RCP<Matrix const> const& of) {
  forget_matrix();
  if (preconditioner == nullptr) {
    own_ = Teuchos::null;
    return take(A, own_, true);
  }
  TransferCounter const bytes;
  core::Stopwatch const watch{};
  double const before = own_.is_null() ? 0 : transfer_seconds(*own_);
  own_ = Details::create(*preconditioner, of, own_);
  double const read = own_->readingSeconds();
  own_->compute();
  double const seconds = watch.seconds();
  setup_.what = own_->lastCompute();
  // A new setup counts its transfers from zero.
  double const moving = transfer_seconds(*own_) - (setup_.what.rfind("setup", 0) == 0 ? 0 : before);
  double const reading = own_->readingSeconds() - read;
  auto const all = largest<2>(*A->getComm(), {seconds - moving - reading, moving + reading});
  setup_.seconds = all[0];
  setup_.transfer_seconds = all[1];
  bytes.sum_up(*A->getComm(), setup_.bytes_to_device, setup_.bytes_to_host);
  A_ = A;
  M_ = own_;
  M_is_of_A_ = true;
}

void LinearSolver::take(Teuchos::RCP<Matrix const> const& A, Teuchos::RCP<Operator const> const& M,
                        bool M_is_of_A) {
  setup_ = {};
  A_ = A;
  M_ = M;
  M_is_of_A_ = M_is_of_A;
  resident_.reset();
  kept_ = {};
  copies_ = {};
}

SolveReport LinearSolver::solve(KrylovChoice const& choice, Vectors const& b, Vectors& x) const {
  TESSERA_EXPECT(!A_.is_null());
  TransferCounter const bytes;
  SolveReport report = run(choice, Teuchos::rcpFromRef(b), Teuchos::rcpFromRef(x), false);
  auto const seconds =
      largest<3>(*A_->getComm(), {report.uploadSeconds, report.setupSeconds, report.solveSeconds});
  report.uploadSeconds = seconds[0];
  report.setupSeconds = seconds[1];
  report.solveSeconds = seconds[2];
  bytes.sum_up(*A_->getComm(), report.bytesToDevice, report.bytesToHost);
  return report;
}

SolveOutcome LinearSolver::run(KrylovChoice const& given, Teuchos::RCP<Vectors const> const& B,
                               Teuchos::RCP<Vectors> const& X, bool with_history) const {
  auto choice = given;
  ScaledSystem<Vectors> const scaled(B, X, choice.absolute_tolerance > 0);
  RangeProjection<Vectors> projected{scaled.B(), {}};
  if (take_project_nullspace(choice))
    projected = project_to_range<Vectors, Operator>(*A_, *likely_nullspace(*B, M_), scaled.B());
  auto as_scaled = choice;
  as_scaled.absolute_tolerance *= scaled.factor();
  auto outcome = run_in_place(as_scaled, projected.B, scaled.X(), with_history);
  scaled.copy_back();
  outcome.projectedShare = projected.largest_share();
  check_rounded(scaled.rounded(), *projected.B, as_scaled, outcome);
  report_floating_load(*projected.B, as_scaled, outcome);
  advise(choice, *A_, M_, *B, *X, outcome);
  if (outcome.converged) return outcome;
  if (outcome.projectedShare > 0) outcome.reason += "; " + projection_text(outcome.projectedShare);
  outcome.reason += cycle_mismatch(choice, outcome.solver, M_);
  if (outcome.status == SolveStatus::roundingLevel) return outcome;
  auto const found = asymmetry(*A_);
  if (found.empty()) return outcome;
  if (outcome.status == SolveStatus::breakdown && needs_definite_matrix(outcome.solver))
    outcome.reason =
        found + "; conjugate gradients need a symmetric one: use GMRES, or fix the matrix; " + outcome.reason;
  else
    outcome.reason += "; " + found;
  outcome.reason = tpetra::with_row_base(outcome.reason, *A_->getRowMap());
  return outcome;
}

void LinearSolver::check_rounded(Teuchos::RCP<Vectors> const& X, Vectors const& B, KrylovChoice const& choice,
                                 SolveOutcome& outcome) const {
  if (X.is_null() || !outcome.converged) return;
  Vectors R(B.getMap(), B.getNumVectors());
  std::vector<double> b_norms(B.getNumVectors());
  B.norm2(Teuchos::arrayViewFromVector(b_norms));
  std::replace(b_norms.begin(), b_norms.end(), 0.0, 1.0);
  outcome.relativeResidual = largest_ratio(residual_norms<Vectors, Operator>(*A_, B, *X, R), b_norms);
  double const absolute = choice.absolute_tolerance / *std::max_element(b_norms.begin(), b_norms.end());
  if (outcome.relativeResidual <= residual_slack * std::max(choice.tolerance, absolute)) return;
  outcome.converged = false;
  outcome.status = SolveStatus::notConverged;
  outcome.reason = krylov::out_of_range_text();
}

void LinearSolver::report_floating_load(Vectors const& B, KrylovChoice const& choice,
                                        SolveOutcome& outcome) const {
  if (outcome.converged || !asymmetry(*A_).empty()) return;
  std::vector<double> norms(B.getNumVectors());
  B.norm2(Teuchos::arrayViewFromVector(norms));
  std::replace(norms.begin(), norms.end(), 0.0, 1.0);
  auto const load = floating_load(*A_, M_, B, tolerance_for_rhs(choice, norms, norms));
  if (load.share == 0) return;
  outcome.status = SolveStatus::notConverged;
  outcome.reason = tpetra::with_row_base(text_of(load), *A_->getRowMap());
  outcome.energy = 1;  // x may lie in the nullspace
}

SolveOutcome LinearSolver::run_in_place(KrylovChoice const& choice, Teuchos::RCP<Vectors const> const& B,
                                        Teuchos::RCP<Vectors> const& X, bool with_history) const {
  bool const flexible = needs_flexible(M_), on_gpu = is_on_gpu(M_);
  bool const wants_ours = flexible || on_gpu || choice.test == krylov::Test::row_wise;
  auto const chosen = wants_ours ? with_our_solver(choice, flexible) : choice;
  bool const resident = on_gpu || (is_ours(chosen.solver) && is_computed_ours(M_));
  if (resident && !find_manager<ResidentMultiVector, ResidentOperator>(chosen.solver).is_null())
    return run_resident(chosen, *B, *X, with_history);
  if (!is_ours(chosen.solver) && !chosen.relative_to_start) {  // ours detects it
    double const share = share_out_of_range(*A_, M_, *B, chosen.tolerance);
    if (share > 0) return unsolved(chosen, *A_, *B, *X, krylov::singular_text(share));
  }
  Kept<Vectors, Operator> nothing;
  return iterate<Vectors, Operator>(chosen, A_, M_, B, X, with_history, nothing);
}

SolveOutcome LinearSolver::run_resident(KrylovChoice const& choice, Vectors const& B, Vectors& X,
                                        bool with_history) const {
  core::Stopwatch const setup_watch{};
  if (!resident_) {
    bool const own = M_is_of_A_ && dynamic_cast<Ours const&>(*M_).getMatrix().getRawPtr() == A_.getRawPtr();
    resident_ = own ? std::make_shared<ResidentSystem>(M_) : std::make_shared<ResidentSystem>(A_, M_);
  }
  double const setup = setup_watch.seconds();
  core::Stopwatch const upload{};
  SystemVectors vectors(*resident_, B, X, copies_);
  double transfer = upload.seconds();
  auto outcome = iterate<ResidentMultiVector, ResidentOperator>(
      choice, resident_->matrix(), resident_->preconditioner(), vectors.b, vectors.x, with_history, kept_);
  core::Stopwatch const download{};
  vectors.finish();
  transfer += download.seconds();
  outcome.backend = resident_->backend();
  outcome.setupSeconds = setup;
  outcome.uploadSeconds = transfer;
  return outcome;
}

SolveOutcome solve(KrylovChoice const& choice, Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
                   Teuchos::RCP<Tpetra::Operator<> const> const& M, Teuchos::RCP<Vectors const> const& B,
                   Teuchos::RCP<Vectors> const& X, bool with_history) {
  LinearSolver solver;
  solver.take(A, M, true);
  return solver.run(choice, B, X, with_history);
}

}  // namespace Tessera::belos
