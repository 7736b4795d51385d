// A user's program: the preconditioned 1D Laplacian. It is small enough for a factorisation, so M^-1 is its
// inverse.
#include <Tessera_Factory.hpp>
#include <Tessera_Version.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <iostream>

int main(int argc, char** argv) {
  Tpetra::ScopeGuard scope(&argc, &argv);
  auto const map = Teuchos::rcp(new Tpetra::Map<>(100, 0, Tpetra::getDefaultComm()));
  auto const A = Teuchos::rcp(new Tpetra::CrsMatrix<double>(map, 3));
  for (auto row = map->getMinGlobalIndex(); row <= map->getMaxGlobalIndex(); ++row) {
    A->insertGlobalValues(row, Teuchos::tuple(row), Teuchos::tuple(2.0));
    if (row > 0) A->insertGlobalValues(row, Teuchos::tuple(row - 1), Teuchos::tuple(-1.0));
    if (row < 99) A->insertGlobalValues(row, Teuchos::tuple(row + 1), Teuchos::tuple(-1.0));
  }
  A->fillComplete();

  auto const M = Tessera::Factory::create<Tpetra::RowMatrix<>>("SA-AMG", A);
  M->setParameters(Teuchos::ParameterList());
  M->initialize();
  M->compute();

  Tpetra::MultiVector<> b(map, 1), x(map, 1), residual(map, 1);
  b.putScalar(1.0);
  M->apply(b, x);
  A->apply(x, residual);
  residual.update(1.0, b, -1.0);
  Teuchos::Array<double> norm(1);
  residual.norm2(norm());
  if (map->getComm()->getRank() == 0)
    std::cout << M->description() << "\n||b - A M^-1 b|| = " << norm[0] << '\n';
  return norm[0] < 0.1 && Tessera::version() == FOUND_VERSION ? 0 : 1;
}
