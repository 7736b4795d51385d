// How do preconditioner and Krylov method both run on the GPU under a Trilinos without CUDA? (Without a GPU,
// `backend: type` = auto takes the host.)
#include <BelosLinearProblem.hpp>
#include <Tpetra_Core.hpp>

#include "Tessera_BelosSolvers.hpp"
#include "Tessera_Factory.hpp"
#include "Tessera_ReadXml.hpp"
#include "Tessera_ResidentSystem.hpp"
#include "Tessera_Solve.hpp"
#include "support/problem.hpp"

using namespace example;

/// Any solver manager of Belos, with vectors on the preconditioner's back end.
int with_belos(RCP<CrsMatrix> const& A, MultiVector const& b, MultiVector& x,
               Teuchos::ParameterList const& list) {
  using Vectors = Tessera::ResidentMultiVector;
  using Operator = Tessera::ResidentOperator;

  auto const M = Tessera::Factory::create<CrsMatrix>("SA-AMG", A);
  M->setParameters(list);
  M->compute();
  Tessera::ResidentSystem const system(M);
  auto const B = system.upload(b), X = system.upload(x);

  auto const problem = rcp(new Belos::LinearProblem<double, Vectors, Operator>(system.matrix(), X, B));
  problem->setRightPrec(system.preconditioner());
  problem->setHermitian();
  problem->setProblem();
  auto const parameters = rcp(new Teuchos::ParameterList);
  parameters->set("Convergence Tolerance", 1e-8);
  auto const solver = Belos::SolverFactory<double, Vectors, Operator>().create("Block CG", parameters);
  solver->setProblem(problem);
  solver->solve();
  system.download(*X, x);
  return verdict(*A, x, b);
}

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  auto const A = laplacian(rcp(new Map(side * side, 0, comm)));
  MultiVector b(A->getRangeMap(), 1), x(A->getDomainMap(), 1);
  b.putScalar(1.0);
  auto const list = Tessera::readXml(argv[1], *comm);

  // The same in one call.
  auto const report = Tessera::solve(A, b, x, *list);
  if (comm->getRank() == 0) {
    std::cout << report.solver << " on " << report.backend << ": " << report.iterations
              << " iterations; upload " << report.uploadSeconds << " s, setup " << report.setupSeconds
              << " s, solve " << report.solveSeconds << " s" << std::endl;
  }
  int const first = verdict(*A, x, b);

  x.putScalar(0.0);
  return first + with_belos(A, b, x, list->sublist("Preconditioner Types").sublist("Tessera"));
}
