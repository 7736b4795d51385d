#include "galerkin/triple_product_body.hpp"

#include <gtest/gtest.h>

#include "galerkin/triple_product.hpp"
#include "problem.hpp"

namespace Tessera {
namespace {

double expected_entries(test::Prolongation const& made, test::Problem const& p) {
  auto const transposed = sparse::transpose(Host{}, made.P.local.view());
  return galerkin::product_entries(Host{}, made.A, made.P, transposed.matrix.view(), p.vectors);
}

TEST(ProductEntries, OfFewAggregatesAreCounted) {
  for (auto const& p : test::problems()) {
    for (auto const how : test::all_splits) {
      auto const made = p.prolongator(test::world(), how, 0.6);
      galerkin::TripleProduct<Host> const product(Host{}, made.A, made.P, sparse::SpgemmMethod::hash,
                                                  p.shape());
      EXPECT_EQ(expected_entries(made, p), comm::global_nonzeros(product.coarse())) << p.A.rows << " rows";
    }
  }
}

TEST(ProductEntries, OfManyAggregatesAreEstimated) {
  auto const grid = oracle::laplace(60, 50);
  auto const hubs = oracle::preferential_attachment(2000, 3, 5);
  for (auto const* A : {&grid, &hubs}) {
    test::Problem const p{sparse::copied<double>(Host{}, *A, Host{}),
                          1,
                          1,
                          test::random_roots(A->rows, 7, 0, 3),
                          test::vectors(A->rows, 1, 7),
                          {},
                          0};
    auto const made = p.prolongator(test::world(), test::Split::even, 0.6);
    galerkin::TripleProduct<Host> const product(Host{}, made.A, made.P, sparse::SpgemmMethod::hash,
                                                p.shape());
    auto const entries = static_cast<double>(comm::global_nonzeros(product.coarse()));
    EXPECT_GT(made.P.columns().global_size(), 64);
    EXPECT_NEAR(expected_entries(made, p) / entries, 1, 0.2);
  }
}

TEST(ProductEntries, ThatAreTooManyAreNotMade) {
  auto const p = std::move(test::problems().front());
  auto const made = p.prolongator(test::world(), test::Split::even, 0.6);
  using Product = galerkin::TripleProduct<Host>;
  auto const product = [&](double most) {
    return Product(Host{}, made.A, made.P, sparse::SpgemmMethod::hash, p.shape(), false, {}, most);
  };
  auto const entries = static_cast<double>(comm::global_nonzeros(product(HUGE_VAL).coarse()));
  EXPECT_EQ(product(entries).too_many(), 0);
  EXPECT_EQ(comm::global_nonzeros(product(entries).coarse()), entries);
  EXPECT_EQ(product(entries - 1).too_many(), entries);
  EXPECT_TRUE(product(entries - 1).coarse().local.column.empty());
}

}  // namespace
}  // namespace Tessera
