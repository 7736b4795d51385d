#include "Tessera_Solve.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <exception>

#include "Tessera_Details_Create.hpp"
#include "belos/krylov_choice.hpp"
#include "core/error.hpp"
#include "ifpack2/any_operator.hpp"
#include "parameters/agreement.hpp"
#include "parameters/precision.hpp"
#include "parameters/quoting.hpp"
#include "tpetra/types.hpp"

namespace Tessera {
namespace {

double largest(Teuchos::Comm<int> const& comm, double mine) {
  double all = mine;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, mine, Teuchos::outArg(all));
  return all;
}

/// What a list says.
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
  wanted.krylov = belos::krylov_choice(list, wanted.selection);
  return wanted;
}

/// What ranks must say alike. Not what is printed; nor the preconditioner's parameters, which its
/// initialize() compares.
parameters::Said said(Wanted const& wanted) {
  parameters::Said all{
      {"Preconditioner Type", wanted.selection.preconditioner},
      {"Solver Type", wanted.krylov.solver},
      {"Left Preconditioner If Unspecified", wanted.krylov.left_preconditioner ? "true" : "false"}};
  for (auto const& one : wanted.krylov.parameters) {
    if (one.first.rfind("Output ", 0) == 0 || one.first == "Verbosity") continue;
    auto const& value = one.second.getAny(false);
    bool const plain = value.type() == typeid(int) || value.type() == typeid(double) ||
                       value.type() == typeid(bool) || value.type() == typeid(std::string);
    if (plain) all.emplace_back(one.first, Teuchos::toString(value));
  }
  return all;
}

/// What the list says, on every rank the same. \throws core::InvalidInput on all ranks where one has another
/// list
Wanted agreed(Teuchos::ParameterList& list, Teuchos::Comm<int> const& comm) {
  Wanted wanted;
  parameters::Said mine;
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
  TESSERA_VALIDATE(!A.is_null(),
                   "Tessera::solve: the matrix is a null pointer; give one that is fill-complete");
  auto const wanted = agreed(list, *A->getComm());
  auto const& selection = wanted.selection;
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
    parameters::choose_precision(own, wanted.krylov.solver, wanted.krylov.parameters);
    M = Details::create(own, A);
    M->initialize();
    M->compute();
    double const transfer = M->inPlace()->transfer_seconds();
    report.uploadSeconds = M->getInitializeTime() + transfer;
    report.setupSeconds = M->getComputeTime() - transfer;
  }
  auto const outcome =
      belos::solve(wanted.krylov, A, M, Teuchos::rcpFromRef(b), Teuchos::rcpFromRef(x), false);

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
