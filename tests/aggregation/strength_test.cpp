#include "aggregation/strength.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "aggregation/coarse_rounding.hpp"
#include "aggregation/problems.hpp"

namespace Tessera {
namespace {

using aggregation::DropScheme;
using aggregation::StrengthParameters;

/// On every rank, n x n: 1 for a kept entry, 2 for an edge. Checks the weights of edges, too.
test::Whole decided(test::Whole const& A, int way, StrengthParameters const& parameters,
                    std::vector<double> const& coordinates = {}, int dimension = 0,
                    std::vector<double> const& resistance = {}) {
  auto const matrix = test::distributed(A, test::shared_out(A.n, way));
  auto const& rows = matrix.rows;
  auto const columns = comm::global_columns(matrix.halo);
  auto const mine = [&](std::vector<double> const& all) -> Span<double const> {
    auto const width = all.size() / A.n;
    return {all.data() + rows.begin() * width, rows.local_size() * width};
  };
  auto const graph =
      aggregation::strength(Host{}, matrix, {mine(coordinates), dimension, mine(resistance)}, parameters);
  std::vector<double> part(rows.local_size() * A.n, 0.0);
  for (Index i = 0; i < rows.local_size(); ++i) {
    for (auto k = matrix.local.offsets[i]; k < matrix.local.offsets[i + 1]; ++k)
      part[i * A.n + columns[matrix.local.column[k]]] = graph.strong[k];
    for (auto e = graph.offsets[i]; e < graph.offsets[i + 1]; ++e) {
      auto const j = columns[graph.neighbour[e]];
      part[i * A.n + j] += 1;
      auto const row = rows.begin() + i;
      if (parameters.scheme != DropScheme::distance_laplacian) {
        EXPECT_NEAR(graph.weight[e], -A(row, j) / std::sqrt(A(row, row) * A(j, j)),
                    std::fabs(graph.weight[e]) * 1e-3);
      }
    }
  }
  return {A.n, test::gathered(part.data(), part.data() + part.size())};
}

StrengthParameters with(DropScheme scheme, double theta) {
  StrengthParameters parameters;
  parameters.scheme = scheme;
  parameters.drop_tolerance = theta;
  return parameters;
}

using Entries = std::vector<double>;

//   4  -2   .      |a_01| / sqrt(4 * 1) = 1, |a_12| / sqrt(1 * 16) = 1/4
//  -2   1   1
//   .   1  16
test::Whole const chain(3, {4, -2, 0, -2, 1, 1, 0, 1, 16});

TEST(Strength, ClassicalKeepsWhatIsAboveTheta) {
  for (int way = 0; way < test::ways_to_share; ++way) {
    EXPECT_EQ(decided(chain, way, with(DropScheme::classical, 0.0)).value,
              (Entries{1, 2, 0, 2, 1, 2, 0, 2, 1}));
    EXPECT_EQ(decided(chain, way, with(DropScheme::classical, 0.24)).value,
              (Entries{1, 2, 0, 2, 1, 2, 0, 2, 1}));
    EXPECT_EQ(decided(chain, way, with(DropScheme::classical, 0.26)).value,
              (Entries{1, 2, 0, 2, 1, 0, 0, 0, 1}));
  }
}

TEST(Strength, ClassicalDropsWhatEqualsTheta) {
  EXPECT_EQ(decided(chain, 0, with(DropScheme::classical, 0.25)).value, (Entries{1, 2, 0, 2, 1, 0, 0, 0, 1}));
}

TEST(Strength, SignedSymmetricDropsPositiveCouplings) {
  EXPECT_EQ(decided(chain, 0, with(DropScheme::signed_symmetric, 0.0)).value,
            (Entries{1, 2, 0, 2, 1, 0, 0, 0, 1}));
}

//  4 -2  .  .     couplings of 1 and 3 are strong to 3 alone, whose largest is 1; theta 0.5 keeps 1 - 3
// -2  8 -3 -1     since one direction does, drops none of 0 - 1 (2 of 2) and 1 - 2 (3 of 3)
//  . -3  8  .     and at theta 0.9 nothing changes: every edge is the largest of one of its ends.
//  . -1  .  4
test::Whole const tree(4, {4, -2, 0, 0, -2, 8, -3, -1, 0, -3, 8, 0, 0, -1, 0, 4});

TEST(Strength, SignedClassicalKeepsWhatEitherSideFindsStrong) {
  for (int way = 0; way < test::ways_to_share; ++way)
    EXPECT_EQ(decided(tree, way, with(DropScheme::signed_classical, 0.9)).value,
              (Entries{1, 2, 0, 0, 2, 1, 2, 2, 0, 2, 1, 0, 0, 2, 0, 1}));
}

//  4 -2 -1     a triangle: 0 - 1 is the largest of 0 and 1, 1 - 2 that of 2; 0 - 2 is 1/2 of 0's largest
// -2  4 -1.6   and 1/1.6 of 2's
// -1 -1.6 4
test::Whole const triangle(3, {4, -2, -1, -2, 4, -1.6, -1, -1.6, 4});

TEST(Strength, SignedClassicalDropsWhatNeitherSideFindsStrong) {
  for (int way = 0; way < test::ways_to_share; ++way) {
    EXPECT_EQ(decided(triangle, way, with(DropScheme::signed_classical, 0.62)).value,
              Entries({1, 2, 2, 2, 1, 2, 2, 2, 1}));
    EXPECT_EQ(decided(triangle, way, with(DropScheme::signed_classical, 0.625)).value,
              Entries({1, 2, 2, 2, 1, 2, 2, 2, 1}));
    EXPECT_EQ(decided(triangle, way, with(DropScheme::signed_classical, 0.63)).value,
              Entries({1, 2, 0, 2, 1, 2, 0, 2, 1}));
  }
}

TEST(Strength, SignedClassicalDropsPositiveCouplings) {
  EXPECT_EQ(decided(chain, 0, with(DropScheme::signed_classical, 0.0)).value,
            (Entries{1, 2, 0, 2, 1, 0, 0, 0, 1}));
}

// Points at 0, 1 and 3 of a line, all coupled alike: l_01 = -1, l_12 = -1/4, l_02 = -1/9;
// l_00 = 10/9, l_11 = 5/4, l_22 = 13/36. Scaled: 0.849, 0.372, 0.175.
TEST(Strength, DistanceLaplacianLooksAtCoordinatesAlone) {
  test::Whole const A(3, {1, -1, -1, -1, 1, 1, -1, 1, 1});
  Entries const coordinates{0, 1, 3};
  for (int way = 0; way < test::ways_to_share; ++way) {
    EXPECT_EQ(decided(A, way, with(DropScheme::distance_laplacian, 0.1), coordinates, 1).value,
              (Entries{1, 2, 2, 2, 1, 2, 2, 2, 1}));
    EXPECT_EQ(decided(A, way, with(DropScheme::distance_laplacian, 0.2), coordinates, 1).value,
              (Entries{1, 2, 0, 2, 1, 2, 0, 2, 1}));
    EXPECT_EQ(decided(A, way, with(DropScheme::distance_laplacian, 0.4), coordinates, 1).value,
              (Entries{1, 2, 0, 2, 1, 0, 0, 0, 1}));
  }
}

/// With materials. Resistances 1, 1, 4: l_01 = -1, l_12 = -1/16, l_02 = -1/36; l_00 = 37/36, l_11 = 17/16,
/// l_22 = 13/144. Scaled: 0.957, 0.202, 0.091.
TEST(Strength, DistancesInAMaterialAreThoseOfTheNodeThatResistsMore) {
  test::Whole const A(3, {1, -1, -1, -1, 1, 1, -1, 1, 1});
  Entries const coordinates{0, 1, 3};
  for (int way = 0; way < test::ways_to_share; ++way) {
    auto parameters = with(DropScheme::distance_laplacian, 0.19);
    parameters.material = true;
    EXPECT_EQ(decided(A, way, parameters, coordinates, 1, {1, 1, 4}).value,
              (Entries{1, 2, 0, 2, 1, 2, 0, 2, 1}));
    parameters.drop_tolerance = 0.21;
    EXPECT_EQ(decided(A, way, parameters, coordinates, 1, {1, 1, 4}).value,
              (Entries{1, 2, 0, 2, 1, 0, 0, 0, 1}));
    parameters.material = false;
    EXPECT_EQ(decided(A, way, parameters, coordinates, 1, {1, 1, 4}).value,
              (Entries{1, 2, 0, 2, 1, 2, 0, 2, 1}));
  }
}

/// Three corners of a square; the material conducts along the diagonal from (0, 0) to (1, 1), so that K^-1 is
/// [1.5 -1; -1 1.5] there and the squared distances are 1.5, 1.5 and 5 = (1, -1) K^-1 (1, -1).
TEST(Strength, ATensorHasDirections) {
  test::Whole const A(3, {1, -1, -1, -1, 1, -1, -1, -1, 1});
  Entries const coordinates{0, 0, 1, 0, 0, 1}, along{1.5, -1, -1, 1.5}, across{1.5, 1, 1, 1.5};
  Entries all, turned;
  for (int node = 0; node < 3; ++node) {
    all.insert(all.end(), along.begin(), along.end());
    turned.insert(turned.end(), across.begin(), across.end());
  }
  auto parameters = with(DropScheme::distance_laplacian, 0.4);
  parameters.material = true;
  for (int way = 0; way < test::ways_to_share; ++way) {
    // l_01 = l_02 = -1/1.5, l_12 = -1/5: scaled 0.620 and 0.231
    EXPECT_EQ(decided(A, way, parameters, coordinates, 2, all).value, (Entries{1, 2, 2, 2, 1, 0, 2, 0, 1}));
    // l_12 = -1: scaled 0.447 and 0.6
    EXPECT_EQ(decided(A, way, parameters, coordinates, 2, turned).value,
              (Entries{1, 2, 2, 2, 1, 2, 2, 2, 1}));
  }
}

// Sizes of row 0: 0.5, 0.4 | 0.02, 0.01 with theta 0.1; row 3, which has but 0.02 and 0.3, would drop the
// former too; row 4 has 0.01 alone and keeps it.
TEST(Strength, ACutIsAtTheFirstGap) {
  test::Whole A(5);
  for (GlobalIndex i = 0; i < A.n; ++i) A(i, i) = 1;
  A.couple(0, 1, -0.5);
  A.couple(0, 2, 0.4);
  A.couple(0, 3, -0.02);
  A.couple(0, 4, -0.01);
  A.couple(2, 3, -0.3);
  auto const kept = [&](int way, double theta) {
    auto const all = decided(A, way, with(DropScheme::cut, theta));
    return Entries{all(0, 1), all(0, 2), all(0, 3), all(0, 4), all(2, 3)};
  };
  for (int way = 0; way < test::ways_to_share; ++way) {
    EXPECT_EQ(kept(way, 0.1), (Entries{2, 2, 0, 2, 2}));
    EXPECT_EQ(kept(way, 0.04), (Entries{2, 2, 2, 2, 2}));
    EXPECT_EQ(kept(way, 0.9), (Entries{2, 2, 0, 2, 2}));
    EXPECT_EQ(kept(way, 0.0), (Entries{2, 2, 2, 2, 2}));
  }
}

// Row 2 has a mass: its sum is 0.4 of its diagonal. That of the first and the last row, 0.5.
TEST(Strength, ARowThatItsMassDominatesIsADirichletRow) {
  auto A = test::path(6);
  A(2, 2) += 4.0 / 3;
  auto parameters = with(DropScheme::classical, 0.0);
  for (int way = 0; way < test::ways_to_share; ++way) {
    for (double const off : {-1.0, 0.0, 0.41}) {
      parameters.row_sum_tolerance = off;
      EXPECT_EQ(decided(A, way, parameters)(2, 3), 2) << off;
    }
    parameters.row_sum_tolerance = 0.39;
    auto const edges = decided(A, way, parameters);
    EXPECT_EQ((Entries{edges(0, 1), edges(1, 2), edges(2, 3), edges(3, 4), edges(4, 5)}),
              (Entries{1, 1, 1, 2, 1}));
  }
}

TEST(Strength, ZerosThatRoundingLeftAreWeakEvenAtThetaZero) {
  auto A = test::path(3);
  A.couple(1, 2, -1e-13);
  EXPECT_EQ(decided(A, 0, with(DropScheme::classical, 0.0)).value, (Entries{1, 2, 0, 2, 1, 0, 0, 0, 1}));
}

// Row 1 is an identity row, column 1 is still there: its entries are kept in the filtered matrix, but are no
// edges.
TEST(Strength, ADirichletRowHasNoEdgesInEitherDirection) {
  auto A = test::path(3);
  A(1, 0) = A(1, 2) = 0.0;
  for (int way = 0; way < test::ways_to_share; ++way) {
    EXPECT_EQ(decided(A, way, with(DropScheme::classical, 0.0)).value, (Entries{1, 1, 0, 0, 1, 0, 0, 1, 1}));
  }
}

// Penalty: a_11 = 1e6, couplings of 1.
TEST(Strength, ADirichletRowMayBeOneOfSmallCouplings) {
  auto A = test::path(3);
  A(1, 1) = 1e6;
  auto parameters = with(DropScheme::classical, 0.0);
  EXPECT_EQ(decided(A, 0, parameters).value, (Entries{1, 2, 0, 2, 1, 2, 0, 2, 1}));
  parameters.dirichlet_threshold = 1e-6;
  EXPECT_EQ(decided(A, 0, parameters).value, (Entries{1, 1, 0, 1, 1, 1, 0, 1, 1}));
}

TEST(Strength, UncoupledRanksHaveNoEdgesBetweenThemButKeepTheEntries) {
  auto const A = test::grid(5, 4);
  auto parameters = with(DropScheme::classical, 0.0);
  parameters.coupled = false;
  auto const rows = test::shared_out(A.n, 0);
  auto const starts = rows.comm().all_gather(rows.begin());
  auto const rank_of = [&](GlobalIndex i) {
    return std::upper_bound(starts.begin(), starts.end(), i) - starts.begin();
  };
  auto const result = decided(A, 0, parameters);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    for (GlobalIndex j = 0; j < A.n; ++j) {
      if (i != j && A(i, j) != 0.0) {
        EXPECT_EQ(result(i, j), rank_of(i) == rank_of(j) ? 2.0 : 1.0) << i << ' ' << j;
      }
    }
  }
}

/// The smallest size before the first gap of a row.
double cut_of(test::Whole const& A, double theta, GlobalIndex i) {
  Entries sizes;
  for (GlobalIndex j = 0; j < A.n; ++j) {
    if (i != j && A(i, j) != 0.0) sizes.push_back(std::fabs(A(i, j)) / std::sqrt(A(i, i) * A(j, j)));
  }
  if (sizes.empty()) return 0.0;
  std::sort(sizes.rbegin(), sizes.rend());
  std::size_t last = 0;
  while (last + 1 < sizes.size() && sizes[last + 1] >= theta * sizes[last]) ++last;
  return sizes[last];
}

/// What the naive loops keep, for coefficients of both signs and theta away from all of them.
bool keeps(test::Whole const& A, DropScheme scheme, double theta, GlobalIndex i, GlobalIndex j) {
  double const scaled = std::fabs(A(i, j)) / std::sqrt(A(i, i) * A(j, j));
  if (i == j) return true;
  if (A(i, j) == 0.0) return false;
  if (scheme == DropScheme::classical) return scaled > theta;
  if (scheme == DropScheme::cut)
    return scaled >= std::min(cut_of(A, theta, i), cut_of(A, theta, j)) * (1 - 1e-12);
  if (A(i, j) > 0.0) return false;
  if (scheme == DropScheme::signed_symmetric) return scaled > theta;
  double of_i = 0.0, of_j = 0.0;
  for (GlobalIndex k = 0; k < A.n; ++k) {
    if (k != i) of_i = std::max(of_i, -A(i, k));
    if (k != j) of_j = std::max(of_j, -A(j, k));
  }
  return -A(i, j) >= theta * of_i || -A(i, j) >= theta * of_j;
}

TEST(Strength, IsThatOfTheNaiveLoopsHoweverRowsAreShared) {
  test::Whole A(60);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    A(i, i) = 2.0 + core::uniform(i, 9);
    for (GlobalIndex j = 0; j < i; ++j) {
      if (core::mix64(i * 64 + j) % 8 == 0) A.couple(i, j, core::uniform(i * 64 + j, 3));
    }
  }
  for (auto const scheme :
       {DropScheme::classical, DropScheme::signed_classical, DropScheme::signed_symmetric, DropScheme::cut}) {
    for (double const theta : {0.0, 0.1, 0.35, 0.7}) {
      test::Whole expected(A.n);
      for (GlobalIndex i = 0; i < A.n; ++i) {
        for (GlobalIndex j = 0; j < A.n; ++j)
          expected(i, j) = i == j ? 1.0 : keeps(A, scheme, theta, i, j) ? 2.0 : 0.0;
      }
      for (int way = 0; way < test::ways_to_share; ++way)
        EXPECT_EQ(decided(A, way, with(scheme, theta)).value, expected.value);
    }
  }
}

TEST(CoarselyRounded, KeepsTwelveBits) {
  EXPECT_EQ(aggregation::coarsely_rounded(0.0), 0.0);
  EXPECT_EQ(aggregation::coarsely_rounded(1.0), 1.0);
  EXPECT_EQ(aggregation::coarsely_rounded(0.25), 0.25);
  EXPECT_EQ(aggregation::coarsely_rounded(1.0 + 0x1p-11), 1.0 + 0x1p-11);
  EXPECT_EQ(aggregation::coarsely_rounded(1.0 + 0x1p-13), 1.0);
  EXPECT_EQ(aggregation::coarsely_rounded(1.0 + 0x1p-12), 1.0 + 0x1p-11);
}

TEST(CoarselyRounded, TellsNoRatioOfSmallIntegersFromItsNeighbours) {
  for (int p = 1; p <= 64; ++p) {
    for (int q = 1; q <= 64; ++q) {
      double const x = static_cast<double>(p) / q, root = std::sqrt(x);
      for (double const y : {x, root}) {
        EXPECT_EQ(aggregation::coarsely_rounded(y * (1 - 1e-13)), aggregation::coarsely_rounded(y))
            << p << '/' << q;
        EXPECT_EQ(aggregation::coarsely_rounded(y * (1 + 1e-13)), aggregation::coarsely_rounded(y))
            << p << '/' << q;
      }
    }
  }
}

}  // namespace
}  // namespace Tessera
