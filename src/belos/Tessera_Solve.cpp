#include "Tessera_Solve.hpp"

#include <exception>

#include "belos/linear_solver.hpp"
#include "core/error.hpp"
#include "parameters/agreement.hpp"
#include "parameters/messages.hpp"
#include "parameters/selection.hpp"

namespace Tessera {
namespace {

/// A parsed list.
struct Wanted {
  parameters::Selection selection;
  belos::KrylovChoice krylov;
};

Wanted checked(Teuchos::ParameterList& list) {
  Wanted wanted;
  wanted.selection = parameters::selection(Teuchos::rcpFromRef(list));
  auto const& type = wanted.selection.preconditioner;
  TESSERA_VALIDATE(type == "Tessera" || type == "None", "Tessera::solve: \"Preconditioner Type\" is \"",
                   core::excerpt(type), "\"; it must be Tessera or None");
  parameters::validate(wanted.selection);
  wanted.krylov = belos::krylov_choice(wanted.selection);
  return wanted;
}

/// The settings that must be equal on all ranks. The preconditioner's initialize() compares its own
/// parameters.
parameters::NamedSettings said(Wanted const& wanted) {
  auto all = belos::said(wanted.krylov);
  all.emplace_back("Preconditioner Type", wanted.selection.preconditioner);
  return all;
}

/// Parses the list. \throws core::InvalidInput on all ranks if their lists differ
Wanted agreed(Teuchos::ParameterList& list, Teuchos::Comm<int> const& comm) {
  Wanted wanted;
  parameters::NamedSettings mine;
  std::exception_ptr mistake;
  try {
    wanted = checked(list);
    mine = said(wanted);
  } catch (core::InvalidInput const& error) {
    mistake = std::current_exception();
    mine = {{"a mistake in the list", error.what()}};
  }
  parameters::require_same_on_all_ranks(comm, mine);
  if (mistake) std::rethrow_exception(mistake);
  return wanted;
}

}  // namespace

SolveReport solve(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A, Tpetra::MultiVector<> const& b,
                  Tpetra::MultiVector<>& x, Teuchos::ParameterList& list) {
  char const* const caller = "Tessera::solve";
  TESSERA_VALIDATE(!A.is_null(), caller, ": the matrix is a null pointer; give one that is fill-complete");
  auto const wanted = agreed(list, *A->getComm());
  belos::require_complete(caller, A.getRawPtr());
  belos::require_fitting(caller, *A, b, x);
  auto const& selection = wanted.selection;
  Teuchos::ParameterList own;
  bool const preconditioned = selection.preconditioner == "Tessera";
  if (preconditioned) {
    own = *selection.preconditioner_parameters;
    parameters::choose_precision(own, wanted.krylov.solver, wanted.krylov.parameters);
  }
  belos::LinearSolver solver;
  solver.set_up(A, preconditioned ? &own : nullptr, A);
  auto report = solver.solve(wanted.krylov, b, x);
  auto const& setup = solver.setup();
  report.uploadSeconds += setup.transfer_seconds;
  report.setupSeconds += setup.seconds;
  report.bytesToDevice += setup.bytes_to_device;
  report.bytesToHost += setup.bytes_to_host;
  return report;
}

}  // namespace Tessera
