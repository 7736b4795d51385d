// How does an application whose Trilinos computes on a GPU use Tessera? As on a host: matrix and vectors stay
// in the device's memory. (With a Trilinos without CUDA the same program runs on the host.)
#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory.hpp>
#include <BelosTpetraAdapter.hpp>
#include <Tpetra_Core.hpp>

#include "Tessera_Factory.hpp"
#include "Tessera_KokkosArrays.hpp"
#include "Tessera_ReadXml.hpp"
#include "support/device_laplacian.hpp"

using namespace example;

/// Any solver manager of Belos on Tpetra's vectors.
int with_belos(RCP<CrsMatrix> const& A, MultiVector const& b, Teuchos::ParameterList& list) {
  auto const M = Tessera::Factory::create<CrsMatrix>("SA-AMG", A);
  M->setParameters(list.sublist("Preconditioner"));
  M->initialize();
  M->compute();
  if (A->getComm()->getRank() == 0) std::cout << M->description() << std::endl;

  auto const x = rcp(new MultiVector(A->getDomainMap(), 1));
  auto const problem =
      rcp(new Belos::LinearProblem<double, MultiVector, Operator>(A, x, Teuchos::rcpFromRef(b)));
  problem->setRightPrec(M);
  problem->setHermitian();
  problem->setProblem();
  auto const solver = Belos::SolverFactory<double, MultiVector, Operator>().create(
      "Pseudo Block CG", Teuchos::sublist(Teuchos::rcpFromRef(list), "Solver"));
  solver->setProblem(problem);
  solver->solve();
  return verdict(*A, *x, b);
}

/// Tessera's own conjugate gradients on the arrays of Tpetra's matrix and vectors.
int with_arrays(CrsMatrix& A, MultiVector const& b, Teuchos::ParameterList& list) {
  Tessera::ArraysSolver solver(Tessera::arraysOf(A), list);
  MultiVector x(A.getDomainMap(), 1);
  Tessera::solve(solver, b, x);
  int const first = verdict(A, x, b);

  // The matrix changes its values, not its pattern.
  A.resumeFill();
  A.scale(10.0);
  A.fillComplete();
  solver.refresh(Tessera::arraysOf(A).values);
  auto const report = Tessera::solve(solver, b, x);
  if (A.getComm()->getRank() == 0) {
    std::cout << report.iterations << " iterations on " << report.backend << ", " << report.bytesToDevice
              << " bytes to the device" << std::endl;
  }
  return first + verdict(A, x, b);
}

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  auto const A = device_laplacian(30, comm);
  MultiVector b(A->getRangeMap(), 1);
  b.putScalar(1.0);
  auto const list = Tessera::readXml(argv[1], *comm);
  return with_belos(A, b, *list) + with_arrays(*A, b, list->sublist("Preconditioner"));
}
