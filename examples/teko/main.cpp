// How does an application with Teko's block preconditioners use Tessera? By one call before Teko's, and by
// name in the inverse library: a thermoelastic body, whose displacements and temperatures are one block each.
#include <Galeri_XpetraProblemFactory.hpp>
#include <Teko_StratimikosFactory.hpp>
#include <Thyra_DefaultBlockedLinearOp.hpp>
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Thyra_VectorStdOps.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_RowMatrixTransposer.hpp>

#include "Tessera_ReadXml.hpp"
#include "Tessera_StratimikosHelpers.hpp"
#include "support/problem.hpp"

using namespace example;

namespace {

constexpr long long points = 60;  ///< along an edge of the body
constexpr double expansion = 0.02;

/// The gradient of the temperatures by central differences: two rows per point, one column per point.
RCP<CrsMatrix> gradient(RCP<Map const> const& displacements, RCP<Map const> const& temperatures) {
  auto const G = rcp(new CrsMatrix(displacements, 2));
  for (int local = 0; displacements->isNodeLocalElement(local); ++local) {
    long long const row = displacements->getGlobalElement(local), point = row / 2;
    long long const step = row % 2 == 0 ? 1 : points;
    long long const along = row % 2 == 0 ? point % points : point / points;
    auto const couple = [&](bool inside, long long column, double value) {
      if (inside) G->insertGlobalValues(row, Teuchos::tuple(column)(), Teuchos::tuple(value)());
    };
    couple(along > 0, point - step, -expansion / 2);
    couple(along + 1 < points, point + step, expansion / 2);
  }
  G->fillComplete(temperatures, displacements);
  return G;
}

RCP<Thyra::LinearOpBase<double> const> block(RCP<Operator const> const& A) {
  return Thyra::createConstLinearOp<double, int, long long>(A);
}

}  // namespace

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();

  // Galeri's square of bilinear elements and its 5-point Laplacian, a strip of them on each rank.
  Teuchos::ParameterList square;
  square.set("nx", points).set("ny", points).set("E", 1.0);
  square.set("mx", 1LL).set("my", static_cast<long long>(comm->getSize()));
  auto const displacements = rcp(new Map(2 * points * points, 0, comm));
  auto const temperatures = rcp(new Map(points * points, 0, comm));
  auto const problem = [&square](char const* name, RCP<Map const> const& map) {
    return Galeri::Xpetra::BuildProblem<double, int, long long, Map, CrsMatrix, MultiVector>(name, map,
                                                                                             square);
  };
  auto const body = problem("Elasticity2D", displacements);
  RCP<CrsMatrix> const K = body->BuildMatrix(), L = problem("Laplace2D", temperatures)->BuildMatrix();
  auto const G = gradient(displacements, temperatures);
  auto const D = Tpetra::RowMatrixTransposer<double, int, long long>(G).createTranspose();
  auto const A = Thyra::block2x2<double>(block(K), block(G), block(D), block(L));

  auto const list = Tessera::readXml(argv[1], *comm);
  auto& elastic = list->sublist("Preconditioner Types")
                      .sublist("Teko")
                      .sublist("Inverse Factory Library")
                      .sublist("Elastic");
  elastic.sublist("user data").set("Nullspace", body->BuildNullspace());  // the three rigid-body modes

  Stratimikos::DefaultLinearSolverBuilder builder;
  Stratimikos::enableTessera(builder);  // before Teko, which takes over the builder's types
  Teko::addTekoToStratimikosBuilder(builder);
  builder.setParameterList(list);
  auto const solver = Thyra::linearOpWithSolve(*Thyra::createLinearSolveStrategy(builder), A);

  auto const b = Thyra::createMember(A->range()), x = Thyra::createMember(A->domain());
  Thyra::put_scalar(1.0, b.ptr());
  Thyra::put_scalar(0.0, x.ptr());
  auto const status = Thyra::solve<double>(*solver, Thyra::NOTRANS, *b, x.ptr());

  auto const r = b->clone_v();
  A->apply(Thyra::NOTRANS, *x, r.ptr(), -1.0, 1.0);
  double const residual = Thyra::norm_2(*r) / Thyra::norm_2(*b);
  int const iterations = status.extraParameters->get<int>("Belos/Iteration Count");
  bool const solved = residual < 2e-8 && iterations <= 20;
  if (comm->getRank() == 0)
    std::cout << iterations << " iterations; " << (solved ? "solved" : "NOT SOLVED")
              << ": ||b - A x|| / ||b|| = " << residual << std::endl;
  return solved ? 0 : 1;
}
