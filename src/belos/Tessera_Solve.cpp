#include "Tessera_Solve.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <chrono>

#include "Tessera_Details_Create.hpp"
#include "belos/krylov_choice.hpp"
#include "core/error.hpp"
#include "ifpack2/any_operator.hpp"
#include "parameters/precision.hpp"
#include "parameters/read_xml.hpp"
#include "tpetra/types.hpp"

namespace Tessera {
namespace {

double largest(Teuchos::Comm<int> const& comm, double mine) {
  double all = mine;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, mine, Teuchos::outArg(all));
  return all;
}

}  // namespace

SolveReport solve(Teuchos::RCP<Tpetra::RowMatrix<> const> const& A, Tpetra::MultiVector<> const& b,
                  Tpetra::MultiVector<>& x, Teuchos::ParameterList& list) {
  TESSERA_VALIDATE(!A.is_null(),
                   "Tessera::solve: the matrix is a null pointer; give one that is fill-complete");
  auto const selection = parameters::selection(Teuchos::rcpFromRef(list));
  TESSERA_VALIDATE(selection.preconditioner == "Tessera" || selection.preconditioner == "None",
                   "Tessera::solve: \"Preconditioner Type\" is \"", selection.preconditioner,
                   "\"; it must be Tessera or None");
  parameters::validate(selection);
  auto const choice = belos::krylov_choice(list, selection);
  TESSERA_VALIDATE(A->isFillComplete(),
                   "Tessera::solve: the matrix is not fill-complete; call fillComplete() before");
  TESSERA_VALIDATE(b.getNumVectors() > 0,
                   "Tessera::solve: b has no columns; give a right-hand side at least");
  TESSERA_VALIDATE(b.getNumVectors() == x.getNumVectors() && b.getMap()->isSameAs(*A->getRowMap()) &&
                       x.getMap()->isSameAs(*A->getRowMap()),
                   "Tessera::solve: b and x must lie on the matrix' row map and have equally many columns");

  TESSERA_VALIDATE(largest(*A->getComm(), b.aliases(x) ? 1 : 0) == 0,
                   "Tessera::solve: b and x share memory; give x vectors of its own");

  SolveReport report;
  Teuchos::RCP<Details::Preconditioner<tpetra::RowMatrix>> M;
  if (selection.preconditioner == "Tessera") {
    auto own = *selection.preconditioner_parameters;
    parameters::choose_precision(own, choice.solver, choice.parameters);
    M = Details::create(own, A);
    M->initialize();
    M->compute();
    double const transfer = M->inPlace()->transfer_seconds();
    report.uploadSeconds = M->getInitializeTime() + transfer;
    report.setupSeconds = M->getComputeTime() - transfer;
  }
  auto const outcome = belos::solve(choice, A, M, Teuchos::rcpFromRef(b), Teuchos::rcpFromRef(x), false);

  auto const& comm = *A->getComm();
  report.converged = outcome.converged;
  report.status = outcome.status;
  report.reason = outcome.reason;
  report.iterations = outcome.iterations;
  report.relativeResidual = outcome.relative_residual;
  report.roundingLevel = outcome.rounding_level;
  report.backwardError = outcome.backward_error;
  report.solver = outcome.solver;
  report.backend = outcome.backend;
  report.uploadSeconds = largest(comm, report.uploadSeconds + outcome.transfer_seconds);
  report.setupSeconds = largest(comm, report.setupSeconds + outcome.setup_seconds);
  report.solveSeconds = largest(comm, outcome.seconds);
  return report;
}

}  // namespace Tessera
