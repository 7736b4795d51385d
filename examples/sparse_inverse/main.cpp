// How does an application replace multigrid by a factored sparse approximate inverse? By one word in the
// list.
#include <Tpetra_Core.hpp>
#include <iostream>

#include "Tessera_ReadXml.hpp"
#include "Tessera_Solve.hpp"
#include "support/problem.hpp"

using namespace example;

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  auto const A = laplacian(rcp(new Map(side * side, 0, comm)));
  MultiVector b(A->getRangeMap(), 1);
  b.putScalar(1.0);

  auto const list = Tessera::readXml(argv[1], *comm);
  int bad = 0;
  for (auto const* algorithm : {"fsai", "sa"}) {
    auto& parameters = list->sublist("Preconditioner Types").sublist("Tessera");
    parameters = Teuchos::ParameterList(parameters.name());
    parameters.set("multigrid algorithm", algorithm);
    MultiVector x(A->getDomainMap(), 1);
    auto const report = Tessera::solve(A, b, x, *list);
    if (comm->getRank() == 0) {
      std::cout << algorithm << ": " << report.iterations << " iterations, setup " << report.setupSeconds
                << " s, solve " << report.solveSeconds << " s\n";
    }
    bad += verdict(*A, x, b);
  }
  return bad;
}
