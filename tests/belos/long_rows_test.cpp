// Rows with 20,000 entries through Belos: the residual that is reported is the one of exact sums.
#include <gtest/gtest.h>

#include <limits>

#include "Tessera_Solve.hpp"
#include "ifpack2/problems.hpp"
#include "oracle/generators.hpp"
#include "tpetra/magnitudes.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::test {
namespace {

constexpr int leaves = 20000;

RCP<CrsMatrix> distributed(sparse::Csr<double, Host> const& whole, RCP<Map const> const& map) {
  std::vector<std::size_t> entries;  // the longest row's room for every row would take gigabytes
  for (int i = 0; map->isNodeLocalElement(i); ++i) {
    auto const row = map->getGlobalElement(i);
    entries.push_back(static_cast<std::size_t>(whole.offsets[row + 1] - whole.offsets[row]));
  }
  auto const A = rcp(new CrsMatrix(map, Teuchos::ArrayView<std::size_t const>(entries)));
  for (int i = 0; map->isNodeLocalElement(i); ++i) {
    auto const row = map->getGlobalElement(i);
    for (auto k = whole.offsets[row]; k < whole.offsets[row + 1]; ++k) {
      long long const column = whole.column[k];
      A->insertGlobalValues(row, 1, &whole.value[k], &column);
    }
  }
  A->fillComplete();
  return A;
}

/// x, on every rank.
std::vector<double> gathered(MultiVector const& x) {
  auto const n = static_cast<int>(x.getGlobalLength());
  std::vector<double> mine(n, 0.0), all(n);
  tpetra::ReadColumns const columns(x);
  for (int i = 0; x.getMap()->isNodeLocalElement(i); ++i)
    mine[x.getMap()->getGlobalElement(i)] = columns[0][i];
  Teuchos::reduceAll(*x.getMap()->getComm(), Teuchos::REDUCE_SUM, n, mine.data(), all.data());
  return all;
}

/// ||1 - A x|| / ||1|| with sums in long double, and a rounding of each entry of A x.
std::pair<double, double> exact_residual(sparse::Csr<double, Host> const& A, std::vector<double> const& x) {
  long double square = 0, scale = 0;
  for (Index i = 0; i < A.rows; ++i) {
    long double r = 1, row = 0;
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      r -= static_cast<long double>(A.value[k]) * x[A.column[k]];
      row += std::abs(A.value[k] * x[A.column[k]]);
    }
    square += r * r;
    scale += row * row;
  }
  return {static_cast<double>(std::sqrt(square / A.rows)),
          std::numeric_limits<double>::epsilon() * static_cast<double>(std::sqrt(scale / A.rows))};
}

TEST(LongRows, HaveTheResidualThatIsReportedByEverySolver) {
  auto const whole = oracle::grounded_star(leaves, 1);
  auto const A = distributed(whole, scattered_map(whole.rows));
  MultiVector b(A->getRowMap(), 1);
  b.putScalar(1);
  for (std::string const solver : {"TESSERA CG", "Pseudo Block CG", "Block GMRES"}) {
    Teuchos::ParameterList list("Stratimikos");
    list.set("Preconditioner Type", "None");
    auto& belos = list.sublist("Linear Solver Types").sublist("Belos");
    belos.set("Solver Type", solver);
    belos.sublist("Solver Types").sublist(solver).set("Convergence Tolerance", 1e-8);
    MultiVector x(A->getRowMap(), 1);
    auto const report = Tessera::solve(A, b, x, list);
    auto const [residual, level] = exact_residual(whole, gathered(x));
    EXPECT_NEAR(report.relativeResidual, residual, level) << solver;
    EXPECT_TRUE(report.converged) << solver << ": " << report.reason;
    EXPECT_NEAR(report.roundingLevel / level, 1, 0.1) << solver;
  }
}

TEST(LongRows, AreSummedAgainAfterTpetraAndShortRowsAreNot) {
  auto const whole = oracle::grounded_star(leaves, 1);
  auto const A = distributed(whole, scattered_map(whole.rows));
  MultiVector X(A->getDomainMap(), 2), Y(A->getRangeMap(), 2);
  X.putScalar(0.1);
  Y.putScalar(7);
  tpetra::sum_long_rows(*A, X, Y);
  long double exact = 0, magnitude = 0;
  for (auto k = whole.offsets[0]; k < whole.offsets[1]; ++k) {
    exact += static_cast<long double>(whole.value[k]) * 0.1;
    magnitude += std::abs(whole.value[k] * 0.1L);
  }
  tpetra::ReadColumns const y(Y);
  for (std::size_t c = 0; c < 2; ++c) {
    for (int i = 0; A->getRowMap()->isNodeLocalElement(i); ++i) {
      bool const centre = A->getRowMap()->getGlobalElement(i) == 0;
      EXPECT_NEAR(y[c][i], centre ? static_cast<double>(exact) : 7.0, centre ? 1e-15 * magnitude : 0);
    }
  }
}

}  // namespace
}  // namespace Tessera::test
