#include <BelosTpetraAdapter.hpp>
#include <algorithm>
#include <cctype>
#include <utility>

#include "belos/Tessera_ResidentSystem.hpp"
#include "belos/iterate_def.hpp"
#include "belos/manager_parameters.hpp"
#include "belos/matrix_faults.hpp"
#include "belos/scaled.hpp"
#include "ifpack2/Tessera_Details_Preconditioner.hpp"
#include "ifpack2/any_operator.hpp"
#include "krylov/explain.hpp"
#include "tpetra/types.hpp"

namespace Tessera::belos {
namespace {

using Ours = Details::Preconditioner;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool is_on_gpu(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M);
  return !ours.is_null() && ours->inPlace() != nullptr && !ours->inPlace()->device().empty();
}

std::string upper_case(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

bool is_ours(std::string const& solver) {
  return upper_case(solver).rfind("TESSERA ", 0) == 0;
}

bool is_pseudo_block_cg(std::string const& solver) {
  auto const name = upper_case(solver);
  return name == "CG" || name == "PSEUDOBLOCK CG" || name == "PSEUDO BLOCK CG" || name == "PSEUDOBLOCKCG";
}

/// Whether the preconditioner is one for flexible conjugate gradients, as a K-cycle.
bool wants_flexible(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M);
  return !ours.is_null() && !ours->hasTransposeApply();
}

/// Ours for the same method, if the list leaves the choice.
KrylovChoice with_our_solver(KrylovChoice choice, bool flexible) {
  if (!is_pseudo_block_cg(choice.solver)) return choice;
  for (auto it = choice.parameters.begin(); it != choice.parameters.end(); ++it) {
    if (!manager_parameters()->isParameter(choice.parameters.name(it))) return choice;
  }
  choice.solver = flexible ? "TESSERA FLEXIBLE CG" : "TESSERA CG";
  return choice;
}

/// X as it is, since no solver comes any further.
SolveOutcome unsolved(KrylovChoice const& choice, Tpetra::Operator<> const& A, Tpetra::MultiVector<> const& B,
                      Tpetra::MultiVector<> const& X, std::string const& reason) {
  SolveOutcome outcome;
  outcome.solver = choice.solver;
  outcome.reason = reason;
  outcome.reduction = 1;
  Tpetra::MultiVector<> R(B.getMap(), B.getNumVectors());
  std::vector<double> b_norms(B.getNumVectors());
  B.norm2(Teuchos::arrayViewFromVector(b_norms));
  outcome.relative_residual = largest_ratio(residual_norms(A, B, X, R), b_norms);
  outcome.history = {{0, outcome.relative_residual}};
  return outcome;
}

/// Where M lies, with A.
std::shared_ptr<ResidentSystem const> place(Teuchos::RCP<Tpetra::Operator<> const> const& A,
                                            Teuchos::RCP<Tpetra::Operator<> const> const& M, bool M_is_of_A) {
  auto const rows = Teuchos::rcp_dynamic_cast<tpetra::RowMatrix const>(A, true);
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M, true);
  if (M_is_of_A && ours->getMatrix().getRawPtr() == rows.getRawPtr())
    return std::make_shared<ResidentSystem>(M);
  return std::make_shared<ResidentSystem>(rows, M);
}

}  // namespace

template SolveOutcome iterate(KrylovChoice const&, Teuchos::RCP<ResidentOperator const> const&,
                              Teuchos::RCP<ResidentOperator const> const&,
                              Teuchos::RCP<ResidentMultiVector const> const&,
                              Teuchos::RCP<ResidentMultiVector> const&, bool);

PreparedSystem::PreparedSystem(Teuchos::RCP<Tpetra::Operator<> const> A,
                               Teuchos::RCP<Tpetra::Operator<> const> M, bool M_is_of_A)
    : A_(std::move(A)), M_(std::move(M)), M_is_of_A_(M_is_of_A) {}

SolveOutcome PreparedSystem::solve(KrylovChoice const& choice,
                                   Teuchos::RCP<Tpetra::MultiVector<> const> const& B,
                                   Teuchos::RCP<Tpetra::MultiVector<>> const& X, bool with_history) const {
  Scaled<Tpetra::MultiVector<>> const scaled(B, X);
  auto outcome = solve_in_place(choice, scaled.B(), scaled.X(), with_history);
  scaled.give_back();
  if (outcome.converged || outcome.status == SolveStatus::roundingLevel) return outcome;
  auto const found = asymmetry(*A_);
  if (!found.empty()) outcome.reason += "; " + found;
  return outcome;
}

SolveOutcome PreparedSystem::solve_in_place(KrylovChoice const& choice,
                                            Teuchos::RCP<Tpetra::MultiVector<> const> const& B,
                                            Teuchos::RCP<Tpetra::MultiVector<>> const& X,
                                            bool with_history) const {
  bool const flexible = wants_flexible(M_), on_gpu = is_on_gpu(M_);
  auto const chosen = flexible || on_gpu ? with_our_solver(choice, flexible) : choice;
  if (on_gpu && !find_manager<ResidentMultiVector, ResidentOperator>(chosen.solver).is_null())
    return solve_on_gpu(chosen, *B, *X, with_history);
  if (!is_ours(chosen.solver) && !chosen.relative_to_start) {  // ours would notice
    double const share = share_out_of_range(*A_, M_, *B, chosen.tolerance);
    if (share > 0) return unsolved(chosen, *A_, *B, *X, krylov::singular_text(share));
  }
  return iterate<Tpetra::MultiVector<>, Tpetra::Operator<>>(chosen, A_, M_, B, X, with_history);
}

SolveOutcome PreparedSystem::solve_on_gpu(KrylovChoice const& choice, Tpetra::MultiVector<> const& B,
                                          Tpetra::MultiVector<>& X, bool with_history) const {
  auto const start = Clock::now();
  if (!resident_) resident_ = place(A_, M_, M_is_of_A_);
  double const setup = seconds_since(start);
  auto const up = Clock::now();
  auto const b = resident_->upload(B), x = resident_->upload(X);
  double transfer = seconds_since(up);
  auto outcome = iterate<ResidentMultiVector, ResidentOperator>(
      choice, resident_->matrix(), resident_->preconditioner(), b, x, with_history);
  auto const down = Clock::now();
  x->download(X);
  transfer += seconds_since(down);
  outcome.backend = resident_->backend();
  outcome.setup_seconds = setup;
  outcome.transfer_seconds = transfer;
  return outcome;
}

SolveOutcome solve(KrylovChoice const& choice, Teuchos::RCP<Tpetra::Operator<> const> const& A,
                   Teuchos::RCP<Tpetra::Operator<> const> const& M,
                   Teuchos::RCP<Tpetra::MultiVector<> const> const& B,
                   Teuchos::RCP<Tpetra::MultiVector<>> const& X, bool with_history) {
  return PreparedSystem(A, M).solve(choice, B, X, with_history);
}

}  // namespace Tessera::belos
