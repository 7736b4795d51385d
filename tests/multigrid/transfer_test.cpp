#include "multigrid/transfer.hpp"

#include <gtest/gtest.h>

#include "galerkin/cases.hpp"

namespace Tessera::multigrid {
namespace {

/// T of random aggregates, which reach other ranks, and as a dense matrix.
struct Made {
  galerkin::Tentative<Host> T;
  comm::Distribution rows;
  oracle::Dense dense;

  Made(Index nodes, Index size, Index lonely, int equations, int vectors, bool ones, test::Split how)
      : rows(test::split(test::world(), how, nodes, equations)) {
    auto const root = nodes == 0 ? std::vector<GlobalIndex>{} : test::random_roots(nodes, size, lonely, 7);
    auto aggregates = test::aggregates(test::split(test::world(), how, nodes), root);
    auto const B = test::part(rows, test::vectors(nodes * equations, vectors, 3), vectors);
    T = ones ? galerkin::indicator(aggregates.coarse, std::move(aggregates.aggregate))
             : galerkin::tentative_prolongator(Host{}, aggregates, test::view(B), equations, vectors);
    std::vector<double> mine;
    for (Index i = 0; i < rows.local_size(); ++i) {
      mine.push_back(static_cast<double>(T.aggregate[i / equations]));
      for (int c = 0; c < vectors; ++c) mine.push_back(ones ? 1 : T.value[i * vectors + c]);
    }
    auto const all = rows.comm().all_gather(mine);
    dense = oracle::Dense(nodes * equations, static_cast<Index>(T.coarse_rows.global_size()));
    for (Index i = 0; i < dense.rows; ++i) {
      double const* const of_row = all.data() + static_cast<std::size_t>(i) * (vectors + 1);
      for (int c = 0; c < vectors && of_row[0] >= 0; ++c)
        dense(i, static_cast<Index>(of_row[0]) * vectors + c) = of_row[1 + c];
    }
  }
};

std::vector<double> numbers(Index n, int seed) {
  std::vector<double> x;
  for (Index i = 0; i < n; ++i) x.push_back(core::uniform(i, seed));
  return x;
}

template <class T>
void expect_products(Made const& made, double tolerance) {
  auto const map =
      std::make_shared<galerkin::AggregateMap<Host> const>(galerkin::aggregate_map(Host{}, made.T));
  AggregateTransfer<T, Host> const transfer(Host{}, made.T, map);
  auto const of = [](std::vector<double> const& x) { return std::vector<T>(x.begin(), x.end()); };
  auto const gathered = [&](std::vector<T> const& x) {
    return made.rows.comm().all_gather(std::vector<double>(x.begin(), x.end()));
  };
  auto const& coarse = made.T.coarse_rows;
  auto const r = numbers(made.dense.rows, 1), e = numbers(made.dense.columns, 2);
  auto const my_r = of(test::part(made.rows, r)), my_e = of(test::part(coarse, e));

  std::vector<T> b(coarse.local_size(), T(7)), x = of(test::part(made.rows, r));
  transfer.restrict(Host{}, test::view(my_r), test::span(b));
  EXPECT_LE(oracle::largest_difference(gathered(b), oracle::product(oracle::transposed(made.dense), r)),
            tolerance);
  transfer.correct(Host{}, test::view(my_e), test::span(x));
  auto expected = oracle::product(made.dense, e);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += r[i];
  EXPECT_LE(oracle::largest_difference(gathered(x), expected), tolerance);
}

TEST(AggregateTransfer, MultipliesByTheTentativeProlongatorAndItsTranspose) {
  for (auto const how : test::all_splits) {
    for (auto const& made :
         {Made(60, 5, 7, 1, 1, true, how), Made(60, 5, 7, 1, 1, false, how), Made(40, 6, 9, 2, 3, false, how),
          Made(30, 8, 0, 1, 2, false, how), Made(0, 5, 0, 1, 1, true, how)}) {
      expect_products<double>(made, 1e-14);
      expect_products<float>(made, 1e-5);
    }
  }
}

}  // namespace
}  // namespace Tessera::multigrid
