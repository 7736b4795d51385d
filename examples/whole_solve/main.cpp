// How does an application that uses Stratimikos run setup and Krylov method on a GPU, and solve again for new
// values? It selects Tessera as its linear solver type, too, and initialises the same solver again.
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Tpetra_Core.hpp>

#include "Tessera_ReadXml.hpp"
#include "Tessera_StratimikosHelpers.hpp"
#include "support/problem.hpp"

using namespace example;

/// The extra parameters of a status.
void print(Thyra::SolveStatus<double> const& status, bool speaks) {
  if (!speaks) return;
  auto const& more = *status.extraParameters;
  std::cout << more.get<std::string>("Setup") << ": " << more.get<double>("Setup Seconds") << " s, and "
            << more.get<double>("Setup Transfer Seconds") << " s to take over A\n"
            << "solve: " << more.get<double>("Solve Seconds") << " s, and "
            << more.get<double>("Transfer Seconds") << " s to copy b and x\n"
            << "bytes to the device and back: "
            << more.get<long long>("Setup Bytes To Device") + more.get<long long>("Bytes To Device") << ", "
            << more.get<long long>("Setup Bytes To Host") + more.get<long long>("Bytes To Host") << "\n"
            << Thyra::toString(status.solveStatus) << ": " << status.message << std::endl;
}

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  auto const A = laplacian(rcp(new Map(side * side, 0, comm)));
  auto const b = rcp(new MultiVector(A->getRangeMap(), 1)), x = rcp(new MultiVector(A->getDomainMap(), 1));
  b->putScalar(1.0);

  Stratimikos::DefaultLinearSolverBuilder builder;
  Stratimikos::enableTessera(builder);  // the only line about Tessera
  builder.setParameterList(Tessera::readXml(argv[1], *comm));
  auto const strategy = Thyra::createLinearSolveStrategy(builder);

  auto const op = Thyra::createConstLinearOp<double, int, long long>(RCP<Operator const>(A));
  auto const B = Thyra::createMultiVector<double, int, long long>(b),
             X = Thyra::createMultiVector<double, int, long long>(x);
  auto const solver = strategy->createOp();
  int failures = 0;
  for (int step = 0; step < 2; ++step) {
    Thyra::initializeOp<double>(*strategy, op, solver.ptr());  // the second time: a refresh
    x->putScalar(0.0);
    print(Thyra::solve(*solver, Thyra::NOTRANS, *B, X.ptr()), comm->getRank() == 0);
    failures += verdict(*A, *x, *b);
    Thyra::uninitializeOp(*strategy, solver.ptr());  // before A changes
    A->resumeFill();
    A->scale(2.0);
    A->fillComplete();
  }
  return failures;
}
