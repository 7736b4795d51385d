#include <algorithm>

#include "belos/traits_checks.hpp"

namespace Tessera::test {
namespace {

std::shared_ptr<belos::Residence const> on_host() {
  return belos::make_residence(Host{}, uneven_rows());
}

TEST(BelosTraits, BelosOwnVectorTestPasses) {
  belos_own_vector_test_passes(on_host());
}

TEST(BelosTraits, BelosOwnOperatorTestPasses) {
  auto const residence = on_host();
  belos::MatrixOperator const A(residence, banded_matrix(residence->rows()), true);
  belos_own_operator_test_passes(residence, A);
}

TEST(BelosTraits, ViewsShareMemory) {
  views_share_memory(on_host());
}

TEST(BelosTraits, CombiningIgnoresVectorsWithTheCoefficientZero) {
  combining_forgets_what_is_not_read(on_host());
}

TEST(BelosTraits, SmallMatricesMultiply) {
  small_matrices_multiply(on_host());
}

TEST(BelosTraits, SumsRunOverAllRanks) {
  sums_run_over_all_ranks(on_host());
}

TEST(BelosTraits, SetBlockTakesTheFirstColumns) {
  set_block_takes_the_first_columns(on_host());
}

TEST(BelosTraits, RandomVectorsDoNotDependOnTheRanks) {
  auto const residence = on_host();
  auto const alone = belos::make_residence(
      Host{}, comm::Distribution(comm::Communicator(), static_cast<Index>(residence->rows().global_size())));
  Vectors X(residence, 2), Y(alone, 2);
  residence->randomise(5, Span<double* const>(std::vector<double*>{X.column(0), X.column(1)}.data(), 2));
  alone->randomise(5, Span<double* const>(std::vector<double*>{Y.column(0), Y.column(1)}.data(), 2));
  for (int j = 0; j < 2; ++j) {
    auto const whole = numbers_of(Y, j), mine = numbers_of(X, j);
    for (std::size_t i = 0; i < mine.size(); ++i)
      EXPECT_EQ(mine[i], whole[static_cast<std::size_t>(residence->rows().begin()) + i]);
  }
}

TEST(BelosTraits, VectorsOfDifferentResidencesAreRefused) {
  Vectors X(on_host(), 1);
  Vectors const Y(on_host(), 1);
  EXPECT_THROW(X.assign(Y), std::invalid_argument);
}

TEST(BelosTraits, ShapesThatDoNotFitAreRefused) {
  auto const residence = on_host();
  Vectors X(residence, 2);
  Vectors const Y(residence, 3);
  Matrix C(2, 2);
  EXPECT_THROW(X.assign(Y), std::invalid_argument);
  EXPECT_THROW(X.combine(1, X, 1, Y), std::invalid_argument);
  EXPECT_THROW(X.multiplyAdd(1, Y, C, 0), std::invalid_argument);
  EXPECT_THROW(X.innerProducts(1, Y, C), std::invalid_argument);
  EXPECT_THROW(X.dots(Y), std::invalid_argument);
  EXPECT_THROW(X.scale({1}), std::invalid_argument);
  EXPECT_THROW(X.view({2}), std::invalid_argument);
  EXPECT_THROW(Vectors(residence, 0), std::invalid_argument);
}

TEST(BelosTraits, PrintingShowsAllRowsOnRankZero) {
  auto const rows = uneven_rows();
  auto const X = columns_of(belos::make_residence(Host{}, rows), 2, small_integer);
  std::ostringstream text;
  Traits::MvPrint(X, text);
  auto const printed = text.str();
  auto const lines = std::count(printed.begin(), printed.end(), '\n');
  EXPECT_EQ(lines, rows.comm().rank() == 0 ? rows.global_size() : 0);
  if (rows.comm().rank() == 0) {
    EXPECT_EQ(printed.substr(0, printed.find('\n')), "0: -5 -2");
  }
}

}  // namespace
}  // namespace Tessera::test
