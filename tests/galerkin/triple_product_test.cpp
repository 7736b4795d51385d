#include "galerkin/triple_product.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases.hpp"
#include "galerkin/shared_rows_body.hpp"
#include "galerkin/triple_product_body.hpp"
#include "oracle/lapack.hpp"
#include "problem.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using galerkin::TripleProduct;
using sparse::SpgemmMethod;
using test::problems;

TEST(TripleProduct, OfATridiagonalMatrixInPairs) {
  // A = (-1, 2, -1) of 6, P = pairs of ones: P^T A P = (-1, 2, -1) of 3.
  auto const comm = test::world();
  auto const rows = test::split(comm, test::Split::even, 6);
  auto const columns = test::split(comm, test::Split::even, 3);
  auto const A = test::distribute(oracle::laplace(6), rows);
  oracle::Dense pairs(6, 3);
  for (Index i = 0; i < 6; ++i) pairs(i, i / 2) = 1;
  auto const P = test::distribute(oracle::to_csr(pairs), rows, columns);
  TripleProduct<Host> const product(Host{}, A, P, SpgemmMethod::hash);
  EXPECT_EQ(test::gathered(product.coarse()), oracle::to_dense(oracle::laplace(3).view()));
}

TEST(TripleProduct, IsTheDenseTripleProduct) {
  for (auto const& p : problems()) {
    for (auto const how : test::all_splits) {
      for (auto const method : {SpgemmMethod::hash, SpgemmMethod::esc}) {
        auto const made = p.prolongator(test::world(), how, 0.6);
        TripleProduct<Host> const product(Host{}, made.A, made.P, method, p.shape());
        auto const expected = oracle::triple_product(test::gathered(made.P), oracle::to_dense(p.A.view()));
        EXPECT_LE(oracle::largest_difference(test::gathered(product.coarse()), expected), 1e-12);
        EXPECT_TRUE(test::columns_ascend(product.coarse()));
        EXPECT_EQ(product.coarse().rows.local_size(), made.P.columns().local_size());
        EXPECT_EQ(product.coarse().columns().global_size(), made.P.columns().global_size());
      }
    }
  }
}

TEST(TripleProduct, OfAnyPatternWithEmptyRowsAndColumns) {
  for (int seed = 0; seed < 6; ++seed) {
    for (auto const how : test::all_splits) {
      auto const comm = test::world();
      auto const rows = test::split(comm, how, 40);
      auto const columns = test::split(comm, test::Split::uneven, 13);
      auto const whole_A = oracle::random_matrix(40, 40, 4, seed);
      auto const whole_P = oracle::random_matrix(40, 13, 2, seed + 100);
      auto const A = test::distribute(whole_A, rows);
      auto const P = test::distribute(whole_P, rows, columns);
      TripleProduct<Host> const product(Host{}, A, P, SpgemmMethod::hash);
      auto expected =
          oracle::triple_product(oracle::to_dense(whole_P.view()), oracle::to_dense(whole_A.view()));
      auto coarse = test::gathered(product.coarse());
      // A zero row with a diagonal entry in the pattern is decoupled; this test is about the others.
      for (Index i = 0; i < 13; ++i) coarse(i, i) = expected(i, i) == 0 ? 0 : coarse(i, i);
      EXPECT_LE(oracle::largest_difference(coarse, expected), 1e-13);
      EXPECT_TRUE(test::columns_ascend(product.coarse()));
    }
  }
}

TEST(TripleProduct, GhostsAreThoseThatItsRowsReach) {
  for (auto const& p : problems()) {
    auto const made = p.prolongator(test::world(), test::Split::even, 0.6);
    TripleProduct<Host> const product(Host{}, made.A, made.P, SpgemmMethod::hash, p.shape());
    auto const& coarse = product.coarse();
    std::vector<char> reached(coarse.halo.ghost_count(), 0);
    for (Index const c : coarse.local.column) {
      if (c >= coarse.rows.local_size()) reached[c - coarse.rows.local_size()] = 1;
    }
    EXPECT_EQ(reached, std::vector<char>(coarse.halo.ghost_count(), 1));
  }
}

TEST(TripleProduct, RefreshIsBitwiseAFreshProduct) {
  for (auto const& p : problems()) {
    for (auto const how : test::all_splits) {
      for (auto const method : {SpgemmMethod::hash, SpgemmMethod::esc}) {
        auto made = p.prolongator(test::world(), how, 0.6);
        TripleProduct<Host> product(Host{}, made.A, made.P, method, p.shape(), true);
        for (std::size_t k = 0; k < made.A.local.value.size(); ++k) {
          made.A.local.value[k] *= 1 + 0.3 * core::uniform(made.A.rows.begin() * 1000 + k, 9);
        }
        for (double& v : made.P.local.value) v *= 1.1;
        product.refresh(Host{}, made.A, made.P);
        TripleProduct<Host> const fresh(Host{}, made.A, made.P, method, p.shape());
        EXPECT_TRUE(oracle::identical(product.coarse().local, fresh.coarse().local));
        EXPECT_TRUE(oracle::identical(product.restriction().matrix, fresh.restriction().matrix));
      }
    }
  }
}

TEST(TripleProduct, MethodsAndThreadsAgreeBitwise) {
  for (auto const& p : problems()) {
    auto const made = p.prolongator(test::world(), test::Split::uneven, 0.6);
    auto const with = [&](SpgemmMethod method, int threads) {
      return testing::with_threads(
          threads, [&] { return TripleProduct<Host>(Host{}, made.A, made.P, method, p.shape()); });
    };
    auto const reference = with(SpgemmMethod::hash, 1);
    for (int const threads : {1, 2, 3}) {
      for (auto const method : {SpgemmMethod::hash, SpgemmMethod::esc}) {
        auto const product = with(method, threads);
        EXPECT_TRUE(oracle::identical(product.coarse().local, reference.coarse().local));
        EXPECT_EQ(product.coarse().halo.ghosts(), reference.coarse().halo.ghosts());
      }
    }
  }
}

TEST(TripleProduct, KeepsNothingButItsResultsUnlessAskedTo) {
  auto const p = std::move(problems()[4]);
  auto const made = p.prolongator(test::world(), test::Split::even, 0.6);
  TripleProduct<Host> const keeps(Host{}, made.A, made.P, SpgemmMethod::hash, p.shape(), true);
  TripleProduct<Host> const leaves(Host{}, made.A, made.P, SpgemmMethod::hash, p.shape());
  EXPECT_TRUE(oracle::identical(leaves.coarse().local, keeps.coarse().local));
  EXPECT_EQ(leaves.bytes(), leaves.coarse().bytes() + leaves.restriction().matrix.bytes());
  EXPECT_GT(keeps.bytes(), keeps.coarse().bytes() + keeps.restriction().matrix.bytes());
}

TEST(TripleProduct, DroppedColumnsAreDecoupledAndTheRestIsGalerkin) {
  // Single nodes cannot have six rigid-body modes: aggregate 0 is one node of three rows.
  auto p = std::move(problems()[4]);
  auto const n = p.A.rows / 3;
  for (Index v = 1; v < n; ++v) p.root[v] = 1 + (v - 1) / 9 * 9;
  p.root[0] = 0;
  for (auto const how : test::all_splits) {
    auto const made = p.prolongator(test::world(), how, 0.6);
    TripleProduct<Host> product(Host{}, made.A, made.P, SpgemmMethod::hash, p.shape(), true);
    auto const check = [&] {
      auto const coarse = test::gathered(product.coarse());
      auto const P = test::gathered(made.P);
      auto const galerkin = oracle::triple_product(P, test::gathered(made.A));
      double largest = 0;
      for (Index i = 0; i < 6; ++i) largest = std::max(largest, coarse(i, i));
      for (Index i = 0; i < coarse.rows; ++i) {
        for (Index j = 0; j < coarse.columns; ++j) {
          bool const dropped = i == j && i >= 3 && i < 6;
          EXPECT_NEAR(coarse(i, j), dropped ? largest : galerkin(i, j), 1e-12);
        }
      }
      EXPECT_TRUE(oracle::is_positive_definite(coarse));
    };
    check();
    product.refresh(Host{}, made.A, made.P);
    check();
  }
}

// A floating bar of two unknowns per node: both columns are in the nullspace. Another bar is held.
TEST(TripleProduct, UnknownsWithoutEnergyAreDecoupledAndTheRestIsGalerkin) {
  oracle::Dense A(12, 12);
  auto const tie = [&](Index node, double along, double across) {
    for (int e = 0; e < 2; ++e) {
      Index const i = 2 * node + e, j = i + 2;
      double const weight = e == 0 ? along : across;
      A(i, i) += weight, A(j, j) += weight;
      A(i, j) -= weight, A(j, i) -= weight;
    }
  };
  tie(0, 0.6, 0.1);
  tie(1, 0.7, 0.2);
  tie(3, 0.6, 0.1);
  tie(4, 0.7, 0.2);
  A(6, 6) += 1;  // along alone
  test::Problem p{oracle::to_csr(A), 2, 2, {0, 0, 0, 3, 3, 3}, {}, {}, 0};
  for (Index i = 0; i < 12; ++i)
    p.nullspace.insert(p.nullspace.end(), {i % 2 == 0 ? 1.0 : 0.0, i % 2 == 1 ? 1.0 : 0.0});
  for (auto const how : test::all_splits) {
    auto made = p.prolongator(test::world(), how, 0.6);
    Array<double, Host> scale;
    galerkin::Scales<Host> scales{made.diagonal.data(), &scale, made.T.coarse_nullspace.data()};
    TripleProduct<Host> product(Host{}, made.A, made.P, SpgemmMethod::hash, p.shape(), true, scales);
    auto const check = [&] {
      auto const coarse = test::gathered(product.coarse());
      auto const galerkin = oracle::triple_product(test::gathered(made.P), oracle::to_dense(p.A.view()));
      for (Index i = 0; i < 4; ++i) {
        for (Index j = 0; j < 4; ++j) {
          EXPECT_NEAR(coarse(i, j), i == j ? coarse(i, i) : 0, 1e-15);
        }
        EXPECT_GT(coarse(i, i), i == 2 ? 0.1 : 0.15);
        EXPECT_NEAR(galerkin(i, i), i == 2 ? coarse(i, i) : 0, 1e-15);
      }
      EXPECT_TRUE(oracle::is_positive_definite(coarse));
    };
    check();
    auto const B = made.A.rows.comm().all_gather(std::vector<double>(
        made.T.coarse_nullspace.data(), made.T.coarse_nullspace.data() + made.T.coarse_nullspace.size()));
    for (int k = 0; k < 8; ++k) EXPECT_EQ(B[k] != 0, k == 4) << k;
    scales.nullspace = nullptr;
    product.refresh(Host{}, made.A, made.P, scales);
    check();
  }
}

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

using galerkin::EntryKey;

TEST(EntryKey, AscendsWithTheRowThenWithTheColumn) {
  EntryKey const key(40, 1000);
  std::uint64_t last = 0;
  for (Index row = 0; row < 40; ++row) {
    for (GlobalIndex column = row == 0 ? 1 : 0; column < 1000; ++column) {
      auto const now = key(row, column);
      ASSERT_GT(now, last);
      ASSERT_EQ(key.column(now), column);
      last = now;
    }
  }
  EXPECT_GE(key.largest(), last);
}

TEST(EntryKey, RowsAndColumnsThatDoNotFitAreRefused) {
  EXPECT_NO_THROW(EntryKey(2147483647, (GlobalIndex{1} << 33) - 1));
  EXPECT_THROW(EntryKey(2147483647, GlobalIndex{1} << 33), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera
