// What bad input is called: by the user's global ids, which are neither contiguous nor in order of ranks.
#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"
#include "kinds.hpp"

namespace Tessera::test {
namespace {

constexpr long long side = 16, n = side * side;

/// Row i of the grid, as the user calls it.
long long id_of(long long i) {
  return 1000003 + 7 * ((n - 1 - i) * 5 % n);
}

RCP<Map const> map_of_ids() {
  auto const comm = world();
  std::vector<long long> mine;
  // nodes of two rows stay together
  for (long long i = 0; i < n; ++i) {
    if (i / 2 % comm->getSize() == comm->getRank()) mine.push_back(id_of(i));
  }
  return rcp(
      new Map(n, Teuchos::ArrayView<long long const>(mine.data(), static_cast<int>(mine.size())), 0, comm));
}

enum class Bad { nothing, zero_diagonal, negative_diagonal, nan, nan_beside_diagonal, indefinite };

/// The 5-point Laplacian, of which row `bad` is spoilt.
RCP<CrsMatrix> spoilt(Bad how, long long bad) {
  auto const A = rcp(new CrsMatrix(map_of_ids(), 5));
  for (long long row = 0; row < n; ++row) {
    if (!A->getRowMap()->isNodeGlobalElement(id_of(row))) continue;
    auto const insert = [&](bool inside, long long column, double value) {
      auto const id = id_of(column);
      if (inside) A->insertGlobalValues(id_of(row), 1, &value, &id);
    };
    bool const here = row == bad;
    double const nan = std::numeric_limits<double>::quiet_NaN();
    insert(true, row,
           !here                           ? 4.0
           : how == Bad::zero_diagonal     ? 0.0
           : how == Bad::negative_diagonal ? -1.0
           : how == Bad::nan               ? nan
           : how == Bad::indefinite        ? 0.1
                                           : 4.0);
    double const side_value = here && how == Bad::nan_beside_diagonal ? nan : -1.0;
    insert(row % side > 0, row - 1, side_value);
    insert(row % side + 1 < side, row + 1, -1.0);
    insert(row >= side, row - side, -1.0);
    insert(row + side < n, row + side, -1.0);
  }
  A->fillComplete();
  return A;
}

std::string refusal(Ours& M) {
  try {
    M.compute();
  } catch (core::NumericalError const& error) {
    return error.what();
  } catch (core::InvalidInput const& error) {
    return error.what();
  }
  return {};
}

std::string refusal(Kind const& kind, RCP<CrsMatrix> const& A) {
  auto const M = kind.make(A);
  M->setParameters(kind.parameters);
  return refusal(*M);
}

bool names(std::string const& text, char const* before, long long row, char const* behind) {
  return text.find(before + std::to_string(id_of(row)) + behind) != std::string::npos;
}

Kind one_level() {
  auto kind = smoothed_aggregation();
  kind.name = "one level";
  kind.parameters.set("coarse: max size", 1000);
  return kind;
}

Kind of_nodes() {
  auto kind = smoothed_aggregation();
  kind.name = "two rows a node";
  kind.parameters.set("number of equations", 2);
  return kind;
}

struct Names : testing::TestWithParam<Kind> {};

TEST_P(Names, BadRowsAreCalledWhatTheUserCallsThem) {
  for (auto const how : {Bad::zero_diagonal, Bad::negative_diagonal, Bad::nan, Bad::nan_beside_diagonal}) {
    for (long long const bad : {5LL, 100LL, n - 2}) {
      auto const text = refusal(GetParam(), spoilt(how, bad));
      EXPECT_TRUE(names(text, "row ", bad, " ")) << static_cast<int>(how) << ": " << text;
      EXPECT_NE(text.find("; rows count from 0"), std::string::npos) << text;
    }
  }
}

std::string name_of(testing::TestParamInfo<Kind> const& info) {
  auto name = info.param.name;
  for (auto& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Names,
                         testing::Values(smoothed_aggregation(), one_level(), of_nodes(), fsai()), name_of);

TEST(Names, ARowThatMakesTheMatrixIndefiniteIsCalledWhatTheUserCallsIt) {
  for (long long const bad : {5LL, 100LL, n - 2}) {
    EXPECT_TRUE(names(refusal(fsai(), spoilt(Bad::indefinite, bad)), "row ", bad, ":"));
    // Elimination may stop at a neighbour.
    auto const text = refusal(one_level(), spoilt(Bad::indefinite, bad));
    bool found = false;
    for (long long const row : {bad, bad - 1, bad + 1, bad - side, bad + side})
      found = found || names(text, "at row ", row, ")");
    EXPECT_TRUE(found) << bad << ": " << text;
  }
}

TEST(Names, NodesWithoutUsableCoordinatesAreCalledWhatTheUserCallsThem) {
  auto const A = spoilt(Bad::nothing, 0);
  auto const X = rcp(new MultiVector(A->getRowMap(), 2));
  for (long long row = 0; row < n; ++row) {
    if (!A->getRowMap()->isNodeGlobalElement(id_of(row))) continue;
    X->replaceGlobalValue(id_of(row), 0, static_cast<double>(row % side));
    X->replaceGlobalValue(id_of(row), 1, static_cast<double>(row == 100 ? 100 / side + 1 : row / side));
  }
  SmoothedAggregation<> M(A);
  auto kind = smoothed_aggregation();
  kind.parameters.set("aggregation: drop scheme", "distance laplacian");
  M.setParameters(kind.parameters);
  M.setCoordinates(X);
  auto const text = refusal(M);
  char const* const before = "the node of row ";
  char const* const behind = " or one coupled to it";
  EXPECT_TRUE(names(text, before, 100, behind) || names(text, before, 100 + side, behind)) << text;
  if (A->getRowMap()->isNodeGlobalElement(id_of(100)))
    X->replaceGlobalValue(id_of(100), 1, std::numeric_limits<double>::infinity());
  M.setCoordinates(X);
  auto const infinite = refusal(M);
  EXPECT_TRUE(names(infinite, "in row ", 100, ", column 1")) << infinite;
}

}  // namespace
}  // namespace Tessera::test
