// How does a code with MueLu use Tessera's smoothers and multigrid inside MueLu? By one call, and MueLu's own
// list.
#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <Tpetra_Core.hpp>

#include "Tessera_MueLuSmoothers.hpp"
#include "Tessera_ReadXml.hpp"
#include "support/problem.hpp"

using namespace example;

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  auto const A = laplacian(rcp(new Map(side * side, 0, comm)));
  auto const b = rcp(new MultiVector(A->getRangeMap(), 1)), x = rcp(new MultiVector(A->getDomainMap(), 1));
  b->putScalar(1.0);

  Tessera::registerMueLuSmoothers();  // MueLu's lists can now name "Tessera FSAI"
  auto const list = Tessera::readXml(argv[1], *comm);
  auto& muelu = list->sublist("Preconditioner Types").sublist("MueLu");
  auto const M = MueLu::CreateTpetraPreconditioner(RCP<Operator>(A), muelu);

  auto const problem = rcp(new Belos::LinearProblem<double, MultiVector, Operator>(A, x, b));
  problem->setRightPrec(M);
  problem->setHermitian();
  problem->setProblem();
  auto const parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", 1e-8);
  auto const solver = Belos::SolverFactory<double, MultiVector, Operator>().create("CG", parameters);
  solver->setProblem(problem);
  solver->solve();
  int const first = verdict(*A, *x, *b);
  int const iterations = solver->getNumIters();

  // New values: MueLu sets up its hierarchy again, including Tessera's smoothers.
  A->resumeFill();
  A->scale(10.0);
  A->fillComplete();
  MueLu::ReuseTpetraPreconditioner(A, *M);
  x->putScalar(0.0);
  problem->setProblem();
  solver->reset(Belos::Problem);
  solver->solve();
  if (comm->getRank() == 0)
    std::cout << iterations << " iterations, " << solver->getNumIters() << " with new values" << std::endl;
  return first + verdict(*A, *x, *b);
}
