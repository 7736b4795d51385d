// Invalid matrices and parameters: the same exception on every rank.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "aggregation/problems.hpp"
#include "core/error.hpp"

namespace Tessera {
namespace {

using aggregation::StrengthParameters;

template <class Error>
std::string thrown_by(comm::DistCsr<double, Host> const& A, StrengthParameters const& parameters = {},
                      std::vector<double> const& coordinates = {}, int dimension = 0) {
  try {
    aggregation::strength(Host{}, A, {{coordinates.data(), coordinates.size()}, dimension}, parameters);
  } catch (Error const& error) {
    return error.what();
  }
  return "nothing thrown";
}

/// A path of ten with another entry (7, column); 0 removes the entry.
std::string trouble_in_row_seven(GlobalIndex column, double value) {
  auto A = test::path(10);
  A(7, column) = value;
  return thrown_by<core::NumericalError>(test::distributed(A, test::shared_out(10, 0)));
}

double const infinite = std::numeric_limits<double>::infinity();

TEST(StrengthErrors, AMissingDiagonalEntryNamesTheRow) {
  EXPECT_NE(trouble_in_row_seven(7, 0.0).find("row 7 has no diagonal entry"), std::string::npos);
}

TEST(StrengthErrors, AZeroOnTheDiagonalNamesTheRow) {
  auto A = test::distributed(test::path(10), test::shared_out(10, 0));
  for (Index i = 0; i < A.local.rows; ++i) {
    for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k) {
      if (A.rows.begin() + i == 7 && A.local.column[k] == i) A.local.value[k] = 0.0;
    }
  }
  EXPECT_NE(thrown_by<core::NumericalError>(A).find("row 7 has a zero on the diagonal"), std::string::npos);
}

TEST(StrengthErrors, RowsAreNamedAsTheUserNumbersThem) {
  auto path = test::path(10);
  path(7, 7) = -2.0;
  auto A = test::distributed(path, test::shared_out(10, 0));
  auto const begin = A.rows.begin();
  A.user_row = [begin](Index i) { return 1000 - (begin + i); };
  EXPECT_NE(thrown_by<core::NumericalError>(A).find("row 993 has the diagonal entry"), std::string::npos);
}

TEST(StrengthErrors, ANegativeDiagonalEntryNamesTheRow) {
  EXPECT_NE(trouble_in_row_seven(7, -2.0).find("row 7 has the diagonal entry -2 "), std::string::npos);
}

TEST(StrengthErrors, EntriesThatAreNotFiniteNameTheRow) {
  EXPECT_NE(trouble_in_row_seven(7, infinite).find("row 7 has the diagonal entry inf "), std::string::npos);
  EXPECT_NE(trouble_in_row_seven(6, -infinite).find("row 7 has the entry -inf "), std::string::npos);
  EXPECT_NE(trouble_in_row_seven(8, std::nan("")).find("row 7 has the entry "), std::string::npos);
}

TEST(StrengthErrors, TheFirstOfSeveralRowsOfARankIsNamed) {
  auto A = test::path(10);
  A(1, 1) = A(2, 2) = -1.0;
  EXPECT_NE(thrown_by<core::NumericalError>(test::distributed(A, test::shared_out(10, 1))).find("row 1 "),
            std::string::npos);
}

TEST(StrengthErrors, RowsMustBeWholeNodes) {
  StrengthParameters parameters;
  parameters.equations = 3;
  auto const A = test::distributed(test::path(10), test::shared_out(10, 0));
  EXPECT_NE(thrown_by<core::InvalidInput>(A, parameters).find("not whole nodes of 3 equations"),
            std::string::npos);
}

TEST(StrengthErrors, ANodeHasAtLeastOneEquation) {
  StrengthParameters parameters;
  parameters.equations = 0;
  auto const A = test::distributed(test::path(10), test::shared_out(10, 0));
  EXPECT_NE(thrown_by<core::InvalidInput>(A, parameters).find("at least one"), std::string::npos);
}

TEST(StrengthErrors, TheDropToleranceIsNotNegative) {
  StrengthParameters parameters;
  parameters.drop_tolerance = -0.1;
  auto const A = test::distributed(test::path(10), test::shared_out(10, 0));
  EXPECT_NE(thrown_by<core::InvalidInput>(A, parameters).find("drop tolerance -0.1"), std::string::npos);
}

TEST(StrengthErrors, TheDistanceLaplacianNeedsCoordinates) {
  StrengthParameters parameters;
  parameters.scheme = aggregation::DropScheme::distance_laplacian;
  auto const A = test::distributed(test::path(10), test::shared_out(10, 0));
  EXPECT_NE(thrown_by<core::InvalidInput>(A, parameters).find("0 coordinates for"), std::string::npos);
}

TEST(StrengthErrors, DistancesInAMaterialNeedIt) {
  StrengthParameters parameters;
  parameters.scheme = aggregation::DropScheme::distance_laplacian;
  parameters.material = true;
  auto const A = test::distributed(test::path(10), test::shared_out(10, 0));
  std::vector<double> coordinates;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) coordinates.push_back(static_cast<double>(i));
  EXPECT_NE(thrown_by<core::InvalidInput>(A, parameters, coordinates, 1).find("0 numbers of materials for"),
            std::string::npos);
}

TEST(StrengthErrors, ACutIsMadeByAQuotient) {
  StrengthParameters parameters;
  parameters.scheme = aggregation::DropScheme::cut;
  parameters.drop_tolerance = 1.5;
  auto const A = test::distributed(test::path(10), test::shared_out(10, 0));
  EXPECT_NE(thrown_by<core::InvalidInput>(A, parameters).find("a quotient"), std::string::npos);
}

TEST(StrengthErrors, RowSumsAreOfOneEquationANode) {
  StrengthParameters parameters;
  parameters.row_sum_tolerance = 0.9;
  parameters.equations = 2;
  auto const A = test::distributed(test::path(10), test::shared_out(10, 0, 2));
  EXPECT_NE(thrown_by<core::InvalidInput>(A, parameters).find("row sums of a matrix of 2 equations"),
            std::string::npos);
}

TEST(StrengthErrors, CoupledNodesAreNotAtOnePlace) {
  StrengthParameters parameters;
  parameters.scheme = aggregation::DropScheme::distance_laplacian;
  auto const A = test::distributed(test::path(10), test::shared_out(10, 0));
  std::vector<double> coordinates;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i)
    coordinates.push_back(i == 5 ? 4.0 : static_cast<double>(i));
  auto const text = thrown_by<core::InvalidInput>(A, parameters, coordinates, 1);
  bool const names_either = text.find("node of row 4 or one coupled to it") != std::string::npos ||
                            text.find("node of row 5 or one coupled to it") != std::string::npos;
  EXPECT_TRUE(names_either) << text;
}

}  // namespace
}  // namespace Tessera
