// How does code written for Ifpack2 use Tessera? With Tessera::Factory in place of Ifpack2::Factory.
#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Teuchos_VerboseObject.hpp>
#include <Tpetra_Core.hpp>

#include "Tessera_Factory.hpp"
#include "Tessera_ReadXml.hpp"
#include "support/problem.hpp"

using namespace example;

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  auto const A = laplacian(rcp(new Map(side * side, 0, comm)));
  auto const b = rcp(new MultiVector(A->getRangeMap(), 1)), x = rcp(new MultiVector(A->getDomainMap(), 1));
  b->putScalar(1.0);

  auto const list = Tessera::readXml(argv[1], *comm);
  auto const M = Tessera::Factory::create<CrsMatrix>("SA-AMG", A);  // or "CHEBYSHEV", a name of Ifpack2
  M->setParameters(list->sublist("Preconditioner"));
  M->initialize();
  M->compute();
  M->describe(*Teuchos::VerboseObjectBase::getDefaultOStream());

  auto const problem = rcp(new Belos::LinearProblem<double, MultiVector, Operator>(A, x, b));
  problem->setRightPrec(M);
  problem->setHermitian();
  problem->setProblem();
  auto const solver =
      Belos::SolverFactory<double, MultiVector, Operator>().create("CG", Teuchos::sublist(list, "Solver"));
  solver->setProblem(problem);
  solver->solve();
  int const first = verdict(*A, *x, *b);

  // The matrix changes its values, not its pattern: compute() alone refreshes the hierarchy.
  A->resumeFill();
  A->scale(10.0);
  A->fillComplete();
  M->compute();
  x->putScalar(0.0);
  problem->setProblem();
  solver->reset(Belos::Problem);
  solver->solve();
  return first + verdict(*A, *x, *b);
}
