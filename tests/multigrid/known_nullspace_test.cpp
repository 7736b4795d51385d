#include "multigrid/dense_inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/hash.hpp"
#include "multigrid/node_data.hpp"
#include "oracle/dense.hpp"

namespace Tessera::multigrid {
namespace {

void tie(oracle::Dense& A, Index i, Index j, double weight) {
  A(i, i) += weight, A(j, j) += weight;
  A(i, j) -= weight, A(j, i) -= weight;
}

/// D^-1/2 A D^-1/2, where D is A's diagonal, and D^-1/2.
std::vector<double> scaled(oracle::Dense const& A, std::vector<double>& scale) {
  scale.clear();
  for (Index i = 0; i < A.rows; ++i) scale.push_back(1 / std::sqrt(A(i, i)));
  std::vector<double> S(A.value.size());
  for (Index j = 0; j < A.rows; ++j)
    for (Index i = 0; i < A.rows; ++i)
      S[i + static_cast<std::size_t>(j) * A.rows] = A(i, j) * scale[i] * scale[j];
  return S;
}

std::vector<NullVector> known(oracle::Dense const& A, NearNullspaceOfRows const& near) {
  std::vector<double> scale;
  auto const S = scaled(A, scale);
  return known_nullspace(S, A.rows, scale, near);
}

NearNullspaceOfRows ones(Index n) {
  return {1, std::vector<double>(static_cast<std::size_t>(n), 1.0)};
}

// o-o-o  o-o  o: the first path is held, the last node stands alone.
TEST(KnownNullspace, IsThatOfComponentsWithoutEnergy) {
  oracle::Dense A(6, 6);
  tie(A, 0, 1, 0.1), tie(A, 1, 2, 0.7), tie(A, 3, 4, 0.3);
  A(0, 0) += 1e-9;
  A(5, 5) = 2;
  auto const found = known(A, ones(6));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rows, (std::vector<Index>{3, 4}));
  for (double const value : found[0].values) EXPECT_NEAR(value, std::sqrt(0.5), 1e-15);
}

// Rows 2 i and 2 i + 1 are the unknowns of a node, which nothing couples: two components, one vector for
// each.
TEST(KnownNullspace, HasWhatEachVectorIsThere) {
  oracle::Dense A(6, 6);
  for (Index c = 0; c < 2; ++c) tie(A, c, 2 + c, 1 + c), tie(A, 2 + c, 4 + c, 3 + c);
  NearNullspaceOfRows near{3, {}};
  for (Index i = 0; i < 6; ++i)
    near.values.insert(near.values.end(), {i % 2 == 0 ? 1.0 : 0.0, i % 2 == 0 ? 0.0 : 1.0, 5.0});
  auto const found = known(A, near);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].rows, (std::vector<Index>{0, 2, 4}));
  EXPECT_EQ(found[1].rows, (std::vector<Index>{1, 3, 5}));
}

TEST(KnownNullspace, IsEmptyWhereNobodyKnowsOne) {
  oracle::Dense A(2, 2);
  tie(A, 0, 1, 1);
  EXPECT_TRUE(known(A, {}).empty());
}

// Stars with centres of large weights, whose leaves come last: the last pivot, a leaf's, has the rounding
// errors of the centre, a million times what counts as zero there.
TEST(DenseInverse, IsAPseudoInverseWhereAPivotHidesTheNullspace) {
  for (VertexId seed = 0; seed < 20; ++seed) {
    constexpr Index n = 40;
    oracle::Dense A(n, n);
    for (Index i = 1; i < n; ++i)
      tie(A, i, static_cast<Index>(0.5 * (1 + core::uniform(i, seed)) * std::min(i, Index{5})),
          std::pow(10.0, 3 - 8.0 * i / n) * (2 + core::uniform(i, seed + 100)));
    DenseInverse<double, Host> const inverse(Host{}, oracle::to_csr(A), {}, {}, ones(n));
    EXPECT_EQ(inverse.rank(), n - 1) << seed;
    std::vector<double> const b = oracle::product(A, [&] {
      std::vector<double> x(n);
      for (Index i = 0; i < n; ++i) x[i] = core::uniform(i, seed + 200);
      return x;
    }());
    std::vector<double> x(n);
    inverse.apply(Host{}, {b.data(), b.size()}, {x.data(), x.size()});
    double largest = 0;
    for (double const value : x) largest = std::max(largest, std::abs(value));
    EXPECT_LT(largest, 100) << seed;
    double const norm = std::abs(*std::max_element(b.begin(), b.end()));
    EXPECT_LT(oracle::largest_difference(oracle::product(A, x), b), 1e-8 * norm) << seed;
  }
}

TEST(NearNullspace, MayBeColumnsInTheMemoryOfTheSpace) {
  std::vector<double> const a{1, 2, 3}, b{4, 5, 6}, ones(3, 1.0);
  auto const row_major = [](NearNullspace const& given) {
    return core::to_vector(Host{}, near_nullspace_on(Host{}, given, 3, 1, {}).view());
  };
  NearNullspace rows, columns;
  rows.vectors = columns.vectors = 2;
  rows.values = {1, 4, 2, 5, 3, 6};
  columns.value_columns = {a.data(), b.data()};
  EXPECT_EQ(row_major(columns), rows.values);
  EXPECT_EQ(row_major(rows), rows.values);
  columns.coordinate_columns = {b.data(), a.data()};
  EXPECT_EQ(core::to_vector(Host{}, coordinates_on(Host{}, columns, 3).view()),
            (std::vector<double>{4, 1, 5, 2, 6, 3}));
  EXPECT_FALSE(only_ones(Host{}, columns, 3));
  columns.value_columns = {ones.data()};
  EXPECT_TRUE(only_ones(Host{}, columns, 3));
}

}  // namespace
}  // namespace Tessera::multigrid
