// How does an application find the fastest list for its matrix? Tessera::tune tries lists and returns the
// fastest. With several solves per setup, as in time steps, another list may be the fastest.
#include <Tpetra_Core.hpp>
#include <iostream>

#include "Tessera_ReadXml.hpp"
#include "Tessera_Solve.hpp"
#include "Tessera_Tune.hpp"
#include "support/problem.hpp"

using namespace example;

/// One solve by a list; the exit status.
int solve(char const* what, RCP<CrsMatrix> const& A, MultiVector const& b, Teuchos::ParameterList& list) {
  MultiVector x(A->getDomainMap(), 1);
  auto const report = Tessera::solve(A, b, x, list);
  if (A->getComm()->getRank() == 0)
    std::cout << what << ": " << report.iterations << " iterations, setup " << report.setupSeconds
              << " s, solve " << report.solveSeconds << " s\n";
  return verdict(*A, x, b);
}

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  auto const A = laplacian(rcp(new Map(side * side, 0, comm)));
  auto const b = rcp(new MultiVector(A->getRangeMap(), 1));
  b->putScalar(1.0);

  Tessera::TuneOptions options;
  options.seconds = 5;
  options.solvesPerSetup = 20;
  options.b = b;
  auto const tuned = Tessera::tune(A, options);  // throws if no list converges
  if (comm->getRank() == 0) {
    for (auto const& trial : tuned.trials)
      std::cout << trial.name << ": "
                << (trial.converged() ? std::to_string(trial.totalSeconds) + " s" : trial.reason) << "\n";
    std::cout << "the fastest is " << tuned.trials[tuned.best].name << "\n";
  }
  auto const before = Tessera::readXml(argv[1], *comm);
  return solve("before", A, *b, *before) + solve("tuned", A, *b, *tuned.list);
}
