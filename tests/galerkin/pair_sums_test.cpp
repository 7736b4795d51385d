#include "galerkin/pair_sums.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using galerkin::PairSums;
using test::Split;

/// A matrix with aggregates, shared out, and T: of ones, or of a vector that is none.
struct Shared {
  sparse::Csr<double, Host> whole;
  comm::DistCsr<double, Host> A;
  galerkin::Tentative<Host> T;
  galerkin::AggregateMap<Host> map;
  oracle::Dense dense_T;

  Shared(sparse::Csr<double, Host> matrix, std::vector<GlobalIndex> const& root, Split how, bool ones)
      : whole(std::move(matrix)) {
    auto const comm = test::world();
    auto const rows = test::split(comm, how, whole.rows);
    A = test::distribute(whole, rows);
    auto aggregates = test::aggregates(rows, root);
    auto B = test::vectors(whole.rows, 2, 5);
    for (Index i = 0; i < whole.rows; ++i) B[i] = 2 + B[2 * i + 1];
    B.resize(whole.rows);
    auto const mine = test::part(rows, B);
    T = ones ? galerkin::indicator(aggregates.coarse, std::move(aggregates.aggregate))
             : galerkin::tentative_prolongator(Host{}, aggregates, test::view(mine), 1, 1);
    map = galerkin::aggregate_map(Host{}, T);
    std::vector<double> of_row;  // its aggregate, and its entry
    for (std::size_t i = 0; i < T.aggregate.size(); ++i) {
      of_row.push_back(static_cast<double>(T.aggregate[i]));
      of_row.push_back(ones ? 1 : T.value[i]);
    }
    auto const all = comm.all_gather(of_row);
    dense_T = oracle::Dense(whole.rows, static_cast<Index>(T.coarse_rows.global_size()));
    for (Index i = 0; i < whole.rows; ++i) {
      if (all[2 * i] >= 0) dense_T(i, static_cast<Index>(all[2 * i])) = all[2 * i + 1];
    }
  }
  PairSums<Host> sums(bool keep = false) const { return {Host{}, A, T, map, keep}; }
};

/// Rows of one entry, long rows, aggregates of any shape and of one vertex, vertices in none, no vertex.
template <class Check>
void for_all_cases(Check const& check) {
  auto const random = [](Index n, Index size, Index lonely) {
    return test::random_roots(n, size, lonely, 7);
  };
  for (auto const how : test::all_splits) {
    for (bool const ones : {true, false}) {
      check(Shared(oracle::laplace(8, 7), random(56, 5, 0), how, ones));
      check(Shared(oracle::random_spd(60, 6, 4), random(60, 4, 6), how, ones));
      check(Shared(oracle::random_spd(70, 30, 4), random(70, 1, 0), how, ones));
      check(Shared(oracle::laplace(1), {0}, how, ones));
      check(Shared(oracle::laplace(0), {}, how, ones));
      check(Shared(oracle::laplace(6), std::vector<GlobalIndex>(6, -1), how, ones));
    }
  }
}

// A = (-1, 2, -1) of 6 in pairs: (-1, 2, -1) of 3.
TEST(PairSums, OfATridiagonalMatrixInPairs) {
  for (auto const how : test::all_splits) {
    Shared const pairs(oracle::laplace(6), {0, 0, 2, 2, 4, 4}, how, true);
    EXPECT_EQ(test::gathered(pairs.sums().coarse()), oracle::to_dense(oracle::laplace(3).view()));
  }
}

TEST(PairSums, AreTheDenseTripleProduct) {
  for_all_cases([](Shared const& s) {
    auto const sums = s.sums();
    auto const expected = oracle::triple_product(s.dense_T, oracle::to_dense(s.whole.view()));
    EXPECT_LE(oracle::largest_difference(test::gathered(sums.coarse()), expected), 1e-12);
    EXPECT_TRUE(test::columns_ascend(sums.coarse()));
    EXPECT_EQ(sums.coarse().rows.local_size(), s.T.coarse_rows.local_size());
  });
}

TEST(PairSums, RefreshIsBitwiseAFreshOne) {
  for_all_cases([](Shared s) {
    auto sums = s.sums(true);
    for (int times = 0; times < 3; ++times) {
      for (std::size_t k = 0; k < s.A.local.value.size(); ++k)
        s.A.local.value[k] *= 1 + 0.3 * core::uniform(s.A.rows.begin() * 1000 + k, 9 + times);
      sums.refresh(Host{}, s.A, s.T, s.map);
      auto const fresh = s.sums();
      EXPECT_TRUE(oracle::identical(sums.coarse().local, fresh.coarse().local));
      EXPECT_EQ(fresh.bytes(), fresh.coarse().bytes());
    }
  });
}

TEST(PairSums, AreTheSameForAnyNumberOfThreads) {
  for (bool const ones : {true, false}) {
    Shared const s(oracle::random_spd(3000, 9, 4), test::random_roots(3000, 5, 60, 7), Split::uneven, ones);
    auto const with = [&](int threads) { return testing::with_threads(threads, [&] { return s.sums(); }); };
    auto const reference = with(1);
    for (int const threads : {2, 3})
      EXPECT_TRUE(oracle::identical(with(threads).coarse().local, reference.coarse().local));
  }
}

// Two pieces of a Neumann problem, each one aggregate: all sums are zero.
TEST(PairSums, ThatAreZeroAreDecoupled) {
  oracle::Dense A(4, 4);
  for (Index i : {0, 2}) {
    A(i, i) = A(i + 1, i + 1) = 1;
    A(i, i + 1) = A(i + 1, i) = -1;
  }
  for (auto const how : test::all_splits) {
    Shared const s(oracle::to_csr(A), {0, 0, 2, 2}, how, true);
    EXPECT_EQ(test::gathered(s.sums().coarse()), oracle::identity(2));
  }
}

// Paths of three, whose rows sum to rounding errors, and a pair that is held by 1e-9.
TEST(PairSums, ThatAreZeroToRoundingAreDecoupledWhereScalesAreKnown) {
  oracle::Dense A(8, 8);
  auto const tie = [&](Index i, Index j, double weight) {
    A(i, i) += weight, A(j, j) += weight;
    A(i, j) -= weight, A(j, i) -= weight;
  };
  for (auto const& [i, weight] : {std::pair(0, 0.6), {1, 0.7}, {3, 0.1}, {4, 0.2}, {6, 1.0}})
    tie(i, i + 1, weight);
  A(7, 7) += 1e-9;
  for (auto const how : test::all_splits) {
    Shared s(oracle::to_csr(A), {0, 0, 0, 3, 3, 3, 6, 6}, how, true);
    auto const without = test::gathered(s.sums().coarse());
    EXPECT_NE(without(0, 0), 0);
    EXPECT_LE(std::abs(without(0, 0)), 1e-15);
    std::vector<double> diagonal(s.A.local.rows);
    sparse::extract_diagonal(Host{}, s.A.local.view(), test::span(diagonal));
    Array<double, Host> scale;
    std::vector<double> B(s.T.coarse_rows.local_size(), 1.0);
    PairSums<Host> sums(Host{}, s.A, s.T, s.map, true, nullptr, {diagonal.data(), &scale, B.data()});
    auto const check = [&] {
      auto const coarse = test::gathered(sums.coarse());
      EXPECT_NEAR(coarse(0, 0), 2.6, 1e-15);  // the scale
      EXPECT_NEAR(coarse(1, 1), 0.6, 1e-15);
      EXPECT_EQ(coarse(2, 2), without(2, 2));
      EXPECT_NEAR(coarse(2, 2), 1e-9, 1e-15);
    };
    check();
    EXPECT_EQ(s.A.rows.comm().all_gather(B), (std::vector<double>{0, 0, 1}));
    sums.refresh(Host{}, s.A, s.T, s.map, {diagonal.data(), &scale});
    check();
  }
}

// Zeros on the diagonal of an indefinite matrix, whose rows are not zero.
TEST(PairSums, ThatAreIndefiniteStayAsTheyAre) {
  oracle::Dense A(2, 2);
  A(0, 1) = A(1, 0) = 1;
  auto whole = oracle::make_csr(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {0, 1, 1, 0});
  for (auto const how : test::all_splits) {
    Shared s(std::move(whole), {0, 1}, how, true);
    std::vector<double> const ones(s.A.local.rows, 1.0);
    Array<double, Host> scale;
    PairSums<Host> const sums(Host{}, s.A, s.T, s.map, false, nullptr, {ones.data(), &scale});
    EXPECT_EQ(test::gathered(sums.coarse()), A);
    whole = std::move(s.whole);
  }
}

}  // namespace
}  // namespace Tessera
