#include "dense_cases.hpp"

namespace Tessera::test {
namespace {

TEST(Dense, ProductsAreThoseOfTheDefinition) {
  expect_exact_products<double>(Host{});
  expect_exact_products<float>(Host{});
}

}  // namespace
}  // namespace Tessera::test
