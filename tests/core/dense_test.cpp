#include "dense_cases.hpp"

namespace Tessera::test {
namespace {

TEST(Dense, ProductsAreThoseOfTheDefinition) {
  expect_exact_products<double>(Host{});
  expect_exact_products<float>(Host{});
}

TEST(Dense, ProductsAreSummedByLanesBitwise) {
  expect_products_by_lanes<double>(Host{});
  expect_products_by_lanes<float>(Host{});
}

TEST(Dense, AnInverseTimesItsMatrixIsTheIdentity) {
  expect_inverses(Host{});
}

TEST(Dense, AMatrixWithoutAnInverseIsFound) {
  expect_no_inverses(Host{});
}

}  // namespace
}  // namespace Tessera::test
