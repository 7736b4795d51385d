#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <algorithm>
#include <iostream>

#include "Tessera_ReadXml.hpp"
#include "Tessera_Solve.hpp"

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const map = Teuchos::rcp(new Tpetra::Map<>(1000, 0, Tpetra::getDefaultComm()));
  auto const A = Teuchos::rcp(new Tpetra::CrsMatrix<double>(map, 3));  // your matrix; here (-1, 2, -1)
  for (auto i = map->getMinGlobalIndex(); i <= map->getMaxGlobalIndex(); ++i)
    for (auto j = std::max(i - 1, 0LL); j <= std::min(i + 1, 999LL); ++j)
      A->insertGlobalValues(i, Teuchos::tuple(j), Teuchos::tuple(i == j ? 2.0 : -1.0));
  A->fillComplete();
  Tpetra::MultiVector<> b(map, 1), x(map, 1);
  b.putScalar(1.0);
  auto const report = Tessera::solve(A, b, x, *Tessera::readXml(argv[1], *map->getComm()));
  if (map->getComm()->getRank() == 0)
    std::cout << report.iterations << " iterations, ||b - A x|| / ||b|| = " << report.relativeResidual
              << '\n';
  return report.converged ? 0 : 1;
}
