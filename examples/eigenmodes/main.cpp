// How do eigensolvers use Tessera? As the preconditioner of Anasazi's LOBPCG: the ten lowest modes of an
// elastic body.
#include <AnasaziBasicEigenproblem.hpp>
#include <AnasaziLOBPCGSolMgr.hpp>
#include <AnasaziTpetraAdapter.hpp>
#include <Galeri_MatrixTraits.hpp>
#include <Galeri_XpetraProblemFactory.hpp>
#include <Tpetra_Core.hpp>

#include "Tessera_ReadXml.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "support/problem.hpp"

using namespace example;

namespace {

constexpr long long points = 12;  ///< along an edge of the cube
constexpr int modes = 10;

/// The lowest and the tenth eigenvalue by another method: ARPACK's shift and invert on the same matrix.
constexpr double lowest = 15174860.71036, tenth = 71998216.73828;

/// The largest ||A v - lambda v|| / lambda of the eigenpairs.
double largest_residual(CrsMatrix const& A, Anasazi::Eigensolution<double, MultiVector> const& pairs) {
  MultiVector residual(A.getRangeMap(), pairs.numVecs);
  A.apply(*pairs.Evecs, residual);
  double largest = 0;
  for (int k = 0; k < pairs.numVecs; ++k) {
    double const lambda = pairs.Evals[k].realpart;
    residual.getVectorNonConst(k)->update(-lambda, *pairs.Evecs->getVector(k), 1.0);
    largest = std::max(largest, residual.getVector(k)->norm2() / lambda);
  }
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  auto const comm = Tpetra::getDefaultComm();
  bool const talks = comm->getRank() == 0;

  // Galeri's cube of trilinear elements, a slab of it on each rank; three rows per node.
  Teuchos::ParameterList cube;
  cube.set("nx", points).set("ny", points).set("nz", points);
  cube.set("mx", 1LL).set("my", 1LL).set("mz", static_cast<long long>(comm->getSize()));
  auto const map = rcp(new Map(3 * points * points * points, 0, comm));
  auto const body = Galeri::Xpetra::BuildProblem<double, int, long long, Map, CrsMatrix, MultiVector>(
      "Elasticity3D", map, cube);
  RCP<CrsMatrix> const A = body->BuildMatrix();

  auto const list = Tessera::readXml(argv[1], *comm);
  auto const M = rcp(new Tessera::SmoothedAggregation<>(A));
  M->setParameters(list->sublist("Preconditioner"));
  M->setNearNullspace(body->BuildNullspace());  // the six rigid-body modes
  M->compute();

  auto const start = rcp(new MultiVector(map, modes));
  start->randomize();
  auto const problem = rcp(new Anasazi::BasicEigenproblem<double, MultiVector, Operator>(A, start));
  problem->setPrec(M);
  problem->setHermitian(true);
  problem->setNEV(modes);
  if (!problem->setProblem()) throw std::logic_error("the eigenproblem is incomplete");
  Anasazi::LOBPCGSolMgr<double, MultiVector, Operator> solver(problem, list->sublist("Solver"));
  auto const status = solver.solve();

  auto const& pairs = problem->getSolution();
  if (talks) std::cout << pairs.numVecs << " modes in " << solver.getNumIters() << " iterations:";
  for (auto const& value : pairs.Evals) {
    if (talks) std::cout << ' ' << value.realpart;
  }
  if (status != Anasazi::Converged || pairs.numVecs < modes) {
    if (talks) std::cout << "\nNOT FOUND: all ten modes" << std::endl;
    return 1;
  }
  double const residual = largest_residual(*A, pairs);
  auto const is = [&pairs](int k, double value) {
    return std::abs(pairs.Evals[k].realpart / value - 1) < 1e-6;
  };
  bool const found = residual < 1e-6 && is(0, lowest) && is(modes - 1, tenth);
  if (talks) {
    std::cout << '\n'
              << (found ? "found" : "NOT FOUND") << ": ||A v - lambda v|| / lambda <= " << residual
              << std::endl;
  }
  return found ? 0 : 1;
}
