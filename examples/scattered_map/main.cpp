// Does the distribution of the rows matter? No: this map is cyclic, and the last rank has no rows.
#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Tpetra_Core.hpp>

#include "Tessera_ReadXml.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "support/problem.hpp"

using namespace example;

namespace {

/// Row i lies on rank i mod (ranks - 1); a single rank has all rows.
RCP<Map const> dealt_out(RCP<Teuchos::Comm<int> const> const& comm) {
  int const holders = std::max(1, comm->getSize() - 1);
  Teuchos::Array<long long> mine;
  for (long long row = comm->getRank(); comm->getRank() < holders && row < side * side; row += holders) {
    mine.push_back(row);
  }
  return rcp(new Map(side * side, mine(), 0, comm));
}

}  // namespace

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  auto const A = laplacian(dealt_out(comm));
  auto const b = rcp(new MultiVector(A->getRangeMap(), 1)), x = rcp(new MultiVector(A->getDomainMap(), 1));
  b->putScalar(1.0);

  auto const list = Tessera::readXml(argv[1], *comm);
  auto const M = rcp(new Tessera::SmoothedAggregation<>(A));
  M->setParameters(list->sublist("Preconditioner"));
  M->compute();

  auto const problem = rcp(new Belos::LinearProblem<double, MultiVector, Operator>(A, x, b));
  problem->setRightPrec(M);
  problem->setHermitian();
  problem->setProblem();
  auto const solver =
      Belos::SolverFactory<double, MultiVector, Operator>().create("CG", Teuchos::sublist(list, "Solver"));
  solver->setProblem(problem);
  solver->solve();
  return verdict(*A, *x, *b);
}
