#include <cctype>

#include "belos/Tessera_ResidentSystem.hpp"
#include "belos/iterate_def.hpp"
#include "belos/manager_parameters.hpp"
#include "ifpack2/Tessera_Details_Preconditioner_decl.hpp"
#include "ifpack2/any_operator.hpp"
#include "tpetra/types.hpp"

namespace Tessera::belos {
namespace {

using Ours = Details::Preconditioner<tpetra::RowMatrix>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

bool is_on_gpu(Teuchos::RCP<Tpetra::Operator<> const> const& M) {
  auto const ours = Teuchos::rcp_dynamic_cast<Ours const>(M);
  return !ours.is_null() && ours->inPlace() != nullptr && ours->inPlace()->on_cuda() != nullptr;
}

bool is_pseudo_block_cg(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name == "CG" || name == "PSEUDOBLOCK CG" || name == "PSEUDO BLOCK CG" || name == "PSEUDOBLOCKCG";
}

/// Ours for the same method, if the list leaves the choice.
KrylovChoice with_our_solver(KrylovChoice choice) {
  if (!is_pseudo_block_cg(choice.solver)) return choice;
  for (auto it = choice.parameters.begin(); it != choice.parameters.end(); ++it) {
    if (!manager_parameters()->isParameter(choice.parameters.name(it))) return choice;
  }
  choice.solver = "TESSERA CG";
  return choice;
}

SolveOutcome solve_on_gpu(KrylovChoice const& choice, Teuchos::RCP<Tpetra::Operator<> const> const& M,
                          Tpetra::MultiVector<> const& B, Tpetra::MultiVector<>& X, bool with_history) {
  auto const start = Clock::now();
  ResidentSystem const system(M);
  double const setup = seconds_since(start);
  auto const up = Clock::now();
  auto const b = system.upload(B), x = system.upload(X);
  double transfer = seconds_since(up);
  auto outcome = iterate<ResidentMultiVector, ResidentOperator>(choice, system.matrix(),
                                                                system.preconditioner(), b, x, with_history);
  auto const down = Clock::now();
  x->download(X);
  transfer += seconds_since(down);
  outcome.backend = system.backend();
  outcome.setup_seconds = setup;
  outcome.transfer_seconds = transfer;
  return outcome;
}

}  // namespace

template SolveOutcome iterate(KrylovChoice const&, Teuchos::RCP<ResidentOperator const> const&,
                              Teuchos::RCP<ResidentOperator const> const&,
                              Teuchos::RCP<ResidentMultiVector const> const&,
                              Teuchos::RCP<ResidentMultiVector> const&, bool);

SolveOutcome solve(KrylovChoice const& choice, Teuchos::RCP<Tpetra::Operator<> const> const& A,
                   Teuchos::RCP<Tpetra::Operator<> const> const& M,
                   Teuchos::RCP<Tpetra::MultiVector<> const> const& B,
                   Teuchos::RCP<Tpetra::MultiVector<>> const& X, bool with_history) {
  if (is_on_gpu(M)) {
    auto const ours = with_our_solver(choice);
    if (!find_manager<ResidentMultiVector, ResidentOperator>(ours.solver).is_null()) {
      return solve_on_gpu(ours, M, *B, *X, with_history);
    }
  }
  return iterate<Tpetra::MultiVector<>, Tpetra::Operator<>>(choice, A, M, B, X, with_history);
}

}  // namespace Tessera::belos
