// How does an application that uses Stratimikos get Tessera? By one call before it reads its XML.
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Tpetra_Core.hpp>

#include "Tessera_ReadXml.hpp"
#include "Tessera_StratimikosHelpers.hpp"
#include "support/problem.hpp"

using namespace example;

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
  auto const solver = Thyra::linearOpWithSolve(
      *strategy, Thyra::createConstLinearOp<double, int, long long>(RCP<Operator const>(A)));
  auto const X = Thyra::createMultiVector<double, int, long long>(x);
  Thyra::solve(*solver, Thyra::NOTRANS, *Thyra::createMultiVector<double, int, long long>(b), X.ptr());
  return verdict(*A, *x, *b);
}
