// Brannick, Chen, Hu, Zikatanov, "Parallel unsmoothed aggregation algebraic multigrid algorithms on GPUs"
// (2013).
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <sstream>

#include "aggregate_quality.hpp"
#include "aggregation/paa.hpp"
#include "core/hash.hpp"
#include "gallery/problem.hpp"
#include "gallery/whole.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::papers {
namespace {

/// On one rank.
tpetra::ImportedMatrix matrix(std::string const& name, gallery::Options const& options) {
  auto const problem = gallery::make_problem(name, options, gallery::alone());
  return tpetra::import_matrix(*problem.matrix);
}

/// The Laplacian of a 4 x 4 grid whose vertical edges have this weight.
sparse::Csr<double, Host> grid_of_sixteen(double vertical) {
  oracle::Dense A(16, 16);
  auto const edge = [&](Index i, Index j, double weight) {
    A(i, i) += weight, A(j, j) += weight, A(i, j) = A(j, i) = -weight;
  };
  for (Index v = 0; v < 16; ++v) {
    if (v % 4 < 3) edge(v, v + 1, 1);
    if (v < 12) edge(v, v + 4, vertical);
  }
  return oracle::to_csr(A);
}

double both_ways(sparse::Csr<double, Host> const& A, bool constants, std::vector<Index> const& aggregate) {
  double const dense = projection_energy_dense(A.view(), constants, aggregate);
  EXPECT_NEAR(projection_energy(Energy(A.view(), constants), aggregate), dense, 1e-4 * dense);
  return dense;
}

/// The figures give |Q|^2 of two partitions into two connected parts. The left one is a corner of three
/// vertices and the rest (up to symmetry, no other partition has 1.89 or 4.88); the right one has two halves.
//   a a b b     a a b b
//   a b b b     a a b b
//   b b b b     a a b b
//   b b b b     a a b b
std::vector<Index> const corner{0, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
std::vector<Index> const halves{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};

TEST(Brannick2013, Example32ReshapingALaplacianOfASquareGrid) {
  auto const A = grid_of_sixteen(1);
  EXPECT_NEAR(both_ways(A, true, corner), 1.89, 0.005);
  EXPECT_NEAR(both_ways(A, true, halves), 1.5, 1e-12);
}

TEST(Brannick2013, Example33ReshapingAnAnisotropicLaplacian) {
  auto const A = grid_of_sixteen(10);
  EXPECT_NEAR(both_ways(A, true, corner), 4.88, 0.005);
  EXPECT_NEAR(both_ways(A, true, halves), 1.5, 1e-12);
}

TEST(AggregateQuality, OfSingleVerticesAndOfOneAggregateIsThatOfTheIdentityAndOfNothing) {
  auto const A = grid_of_sixteen(3);
  std::vector<Index> single(16), one(16, 0);
  for (Index i = 0; i < 16; ++i) single[i] = i;
  EXPECT_NEAR(projection_energy_dense(A.view(), true, single), 1, 1e-12);
  EXPECT_NEAR(projection_energy(Energy(A.view(), true), single), 1, 1e-12);
  EXPECT_NEAR(projection_energy_dense(A.view(), true, one), 0, 1e-12);
  EXPECT_EQ(coarsening_ratio(single), 1);
  EXPECT_EQ(coarsening_ratio(one), 16);
}

TEST(AggregateQuality, OfRandomAggregatesIsWhatDenseMatricesSay) {
  for (auto const* const name : {"Delaunay2D", "NeumannDelaunay2D"}) {
    SCOPED_TRACE(name);
    auto const A = matrix(name, {{"nx", 9}, {"ny", 8}});
    std::vector<Index> aggregate;
    for (Index i = 0; i < 72; ++i)
      aggregate.push_back(i < 20 ? i : static_cast<Index>(10 * (core::uniform(i, 1) + 1)));
    both_ways(A.A.local, name[0] == 'N', aggregate);
  }
}

TEST(AggregateQuality, OfVerticesOutsideOfAllAggregatesIsTheDirichletProblems) {
  // 2 -1        aggregate {0}, vertex 1 in none: Q = diag(1, 0); |Q v|^2 = 2 v_0^2, |v|^2 >= 3/2 v_0^2 (v_1 =
  // v_0 / 2) -1 2
  auto const A = oracle::to_csr(oracle::Dense(2, 2, {2, -1, -1, 2}));
  EXPECT_NEAR(both_ways(A, false, {0, -1}), 4.0 / 3, 1e-12);
}

TEST(AggregateQuality, OfSquaresTendsToTheirSide) {
  // Smooth functions with one value for m x m vertices: steps are m times as long, and their number is
  // divided by m.
  int const n = 128;
  auto const A = matrix("Laplace2D", {{"nx", n}, {"ny", n}});
  Energy const energy(A.A.local.view(), false);
  for (int m : {2, 4}) {
    std::vector<Index> squares;
    for (Index v = 0; v < n * n; ++v) squares.push_back(v % n / m + n / m * (v / n / m));
    EXPECT_EQ(coarsening_ratio(squares), m * m);
    double const measured = projection_energy(energy, squares);
    EXPECT_LT(measured, m);
    EXPECT_GT(measured, 0.99 * m);
  }
}

TEST(AggregateQuality, OfLevelsIsThatOfTheComposedAggregates) {
  EXPECT_EQ(composed({0, 1, -1, 2, 2}, {1, 0, -1}), (std::vector<Index>{1, 0, -1, -1, -1}));
  EXPECT_EQ(composed({0, 0, 1, 2}, {0, 1, 1}), (std::vector<Index>{0, 0, 1, 1}));
}

TEST(Brannick2013, PerturbedLatticesHaveThePapersConditionNumber) {
  // In the 1-norm. The weights of a Delaunay mesh are not negative, so no entry of A^-1 is: its norm is the
  // largest of A^-1 1, and that of A is twice its largest diagonal entry, or less near the boundary.
  for (int seed : {0, 1, 2}) {
    auto const A = matrix("Delaunay2D", {{"nx", 128}, {"ny", 128}, {"seed", seed}});
    Energy const energy(A.A.local.view(), false);
    auto const sums = energy.solve(std::vector<double>(energy.matrix().rows, 1.0));
    double norm = 0;
    for (Index i = 0; i < energy.matrix().rows; ++i) {
      double row = 0;
      for (auto k = energy.matrix().offsets[i]; k < energy.matrix().offsets[i + 1]; ++k)
        row += std::abs(energy.matrix().value[k]);
      norm = std::max(norm, row);
    }
    double const condition = norm * *std::max_element(sums.begin(), sums.end());
    EXPECT_NEAR(condition, 1.2e4, 0.12e4);  // 1.23e4 to 1.31e4
  }
}

/// Coarsening ratio and |Q|_A^2.
struct Figures {
  double ratio, energy;
};

/// The property `name` of a test has the paper's figures, then ours, for benchmarks/papers.py.
void report(std::string const& name, Figures const& paper, Figures const& ours) {
  std::ostringstream text;
  text << paper.ratio << ' ' << paper.energy << ' ' << ours.ratio << ' ' << ours.energy;
  testing::Test::RecordProperty(name, text.str());
  std::cout << testing::UnitTest::GetInstance()->current_test_info()->name() << ", " << name << ": ratio "
            << ours.ratio << " (" << 100 * (ours.ratio / paper.ratio - 1) << " % off the paper's "
            << paper.ratio << "), energy " << ours.energy << " (" << 100 * (ours.energy / paper.energy - 1)
            << " % off its " << paper.energy << ")\n";
}

void expect_near(std::string const& name, Figures const& paper, Figures const& ours, double ratio_off,
                 double energy_off) {
  SCOPED_TRACE(name);
  EXPECT_NEAR(ours.ratio, paper.ratio, ratio_off * paper.ratio);
  EXPECT_NEAR(ours.energy, paper.energy, energy_off * paper.energy);
  report(name, paper, ours);
}

double constexpr same_energy = 3e-4;  ///< relative: Lanczos gives about four digits

/// Aggregates of PAA with at most t vertices; 0: any number. A lies on one rank.
std::vector<Index> aggregates_of(comm::DistCsr<double, Host> const& A, int t, int reshaping_steps = 0) {
  aggregation::StrengthParameters all;
  all.drop_tolerance = 0;
  auto const graph = aggregation::strength(Host{}, A, {}, all);
  std::vector<VertexId> ids(A.local.rows);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<VertexId>(i);
  aggregation::AggregationParameters parameters;
  parameters.largest = t;
  auto found = aggregation::paa(Host{}, graph, {ids.data(), ids.size()}, parameters);
  aggregation::reshape(Host{}, graph, {ids.data(), ids.size()}, reshaping_steps, found);
  return {found.aggregate.begin(), found.aggregate.end()};
}

struct Row {
  int t;  ///< 0: any number
  Figures paper;
};

/// PAA on n^2 vertices with aggregates of at most t.
void expect_rows(std::string const& name, int n, std::vector<Row> const& rows, double ratio_off,
                 double energy_off, std::string const& table = "") {
  auto const A = matrix(name, {{"nx", n}, {"ny", n}});
  Energy const energy(A.A.local.view(), name[0] == 'N');
  for (auto const& row : rows) {
    auto const aggregate = aggregates_of(A.A, row.t);
    expect_near(table + "n" + std::to_string(n) + "_t" + std::to_string(row.t), row.paper,
                {coarsening_ratio(aggregate), projection_energy(energy, aggregate)}, ratio_off, energy_off);
  }
}

/// One row of each of the tables 5.1 to 5.5 keeps its figures. Tables 5.6 and 5.7 begin with t = 5 of 5.1
/// and 5.2.
TEST(Brannick2013, RowsAreWhatTheyWere) {
  struct Pinned {
    char const* problem;
    int n, t;
    Figures ours;
  };
  for (auto const& row :
       {Pinned{"Laplace2D", 128, 5, {2.96919, 3.15249}},
        Pinned{"NeumannLaplace2D", 128, 5, {2.96919, 3.23712}},
        Pinned{"Laplace2D", 130, 5, {2.94374, 2.93671}}, Pinned{"Delaunay2D", 128, 5, {3.71519, 3.35060}},
        Pinned{"NeumannDelaunay2D", 128, 5, {3.71519, 3.49832}}}) {
    SCOPED_TRACE(row.problem);
    auto const A = matrix(row.problem, {{"nx", row.n}, {"ny", row.n}});
    auto const aggregate = aggregates_of(A.A, row.t);
    EXPECT_NEAR(coarsening_ratio(aggregate), row.ours.ratio, 1e-5);
    EXPECT_NEAR(projection_energy(Energy(A.A.local.view(), row.problem[0] == 'N'), aggregate),
                row.ours.energy, same_energy * row.ours.energy);
  }
}

TEST(Brannick2013, Table51StructuredGrids) {
  expect_rows("Laplace2D", 128, {{2, {1.99, 1.71}}, {3, {2.03, 2.04}}, {4, {2.41, 2.46}}, {5, {2.97, 3.15}}},
              0.005, 0.01);
}

TEST(Brannick2013, Table52StructuredGridsWithoutBoundary) {
  expect_rows("NeumannLaplace2D", 128,
              {{2, {1.99, 1.87}}, {3, {2.03, 2.11}}, {4, {2.41, 2.48}}, {5, {2.97, 3.24}}}, 0.005, 0.01);
}

/// The next rows of tables 5.1, 5.2, 5.4 and 5.5: they take half a minute, so only
/// --gtest_also_run_disabled_tests runs them.
TEST(Brannick2013, DISABLED_LargerN256) {
  expect_rows("Laplace2D", 256, {{2, {1.99, 1.72}}, {3, {2.39, 2.57}}, {4, {2.96, 2.59}}, {5, {2.99, 3.20}}},
              0.005, 0.01, "51_");
  expect_rows("NeumannLaplace2D", 256,
              {{2, {1.99, 1.74}}, {3, {2.39, 2.59}}, {4, {2.96, 2.62}}, {5, {2.99, 3.24}}}, 0.005, 0.01,
              "52_");
  expect_rows("Delaunay2D", 256,
              {{2, {1.79, 2.39}}, {3, {2.52, 2.60}}, {4, {3.15, 3.18}}, {5, {3.69, 3.46}}, {0, {4.91, 3.41}}},
              0.02, 0.06, "54_");
  expect_rows("NeumannDelaunay2D", 256,
              {{2, {1.79, 2.49}}, {3, {2.52, 2.65}}, {4, {3.15, 3.20}}, {5, {3.69, 3.48}}, {0, {4.91, 3.41}}},
              0.02, 0.06, "55_");
}

/// The last rows, which take ten minutes.
TEST(Brannick2013, DISABLED_LargerN512) {
  expect_rows("Laplace2D", 512, {{2, {2.00, 1.72}}, {3, {2.01, 2.08}}, {4, {2.40, 2.48}}, {5, {2.99, 3.22}}},
              0.005, 0.01, "51_");
  expect_rows("NeumannLaplace2D", 512,
              {{2, {2.00, 1.87}}, {3, {2.01, 2.11}}, {4, {2.40, 2.49}}, {5, {2.99, 3.24}}}, 0.005, 0.01,
              "52_");
  expect_rows("Delaunay2D", 512,
              {{2, {1.80, 2.38}}, {3, {2.55, 2.67}}, {4, {3.19, 3.26}}, {5, {3.72, 3.56}}, {0, {4.93, 3.40}}},
              0.02, 0.06, "54_");
  expect_rows("NeumannDelaunay2D", 512,
              {{2, {1.80, 2.47}}, {3, {2.55, 2.80}}, {4, {3.19, 3.27}}, {5, {3.72, 3.57}}, {0, {4.93, 3.53}}},
              0.02, 0.08, "55_");
}

// The caption gives Neumann conditions, but the row of n = 128 is that of table 5.1, with Dirichlet
// conditions. If n mod 12 is 0 or 11, random numbers have more influence.
TEST(Brannick2013, Table53StructuredGridsOfAllResidues) {
  expect_rows("Laplace2D", 126, {{2, {2.00, 2.11}}, {3, {2.00, 2.07}}, {4, {2.36, 2.73}}, {5, {2.36, 2.73}}},
              0.005, 0.01);
  expect_rows("Laplace2D", 127, {{2, {1.99, 1.86}}, {3, {2.01, 1.98}}, {4, {2.01, 2.49}}, {5, {2.01, 2.34}}},
              0.005, 0.01);
  expect_rows("Laplace2D", 129, {{2, {1.99, 1.84}}, {3, {2.02, 2.04}}, {4, {2.03, 2.31}}, {5, {2.02, 2.42}}},
              0.005, 0.01);
  expect_rows("Laplace2D", 130, {{2, {1.99, 1.77}}, {3, {2.40, 2.21}}, {4, {2.92, 2.86}}, {5, {2.94, 2.94}}},
              0.005, 0.01);
  expect_rows("Laplace2D", 131, {{2, {1.99, 2.61}}, {3, {2.01, 2.41}}, {4, {2.01, 2.45}}, {5, {2.00, 2.49}}},
              0.01, 0.1);
  expect_rows("Laplace2D", 132, {{2, {1.98, 2.09}}, {3, {2.21, 2.81}}, {4, {2.33, 2.89}}, {5, {2.26, 2.94}}},
              0.01, 0.1);
}

// Other meshes of the same kind.
TEST(Brannick2013, Table54PerturbedLattices) {
  expect_rows("Delaunay2D", 128,
              {{2, {1.80, 2.39}}, {3, {2.53, 2.44}}, {4, {3.17, 3.10}}, {5, {3.73, 3.46}}, {0, {4.91, 3.30}}},
              0.02, 0.06);
}

TEST(Brannick2013, Table55PerturbedLatticesWithoutBoundary) {
  expect_rows("NeumannDelaunay2D", 128,
              {{2, {1.80, 2.39}}, {3, {2.53, 2.54}}, {4, {3.17, 3.18}}, {5, {3.73, 3.48}}, {0, {4.91, 3.33}}},
              0.02, 0.15);
}

/// |E|_A of E = S (I - P (P^T A P)^-1 P^T A) S, P the indicator of the aggregates.
double two_level_rate(oracle::Dense const& A, oracle::Dense const& S, std::vector<Index> const& aggregate) {
  oracle::Dense P(A.rows, *std::max_element(aggregate.begin(), aggregate.end()) + 1);
  for (Index i = 0; i < A.rows; ++i) P(i, aggregate[i]) = 1;
  auto const Q =
      product(product(P, oracle::inverse(oracle::triple_product(P, A))), product(transposed(P), A));
  auto const E = product(S, product(sum(1.0, oracle::identity(A.rows), -1.0, Q), S));
  return oracle::generalised_eigenvalues(product(A, E), A).back();
}

/// I - M^-1 A, M_ii the sum of |a_ij|.
oracle::Dense l1_jacobi(oracle::Dense const& A) {
  auto S = oracle::identity(A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < A.rows; ++j) sum += std::abs(A(i, j));
    for (Index j = 0; j < A.rows; ++j) S(i, j) -= A(i, j) / sum;
  }
  return S;
}

// Aggregates of at most five vertices on a grid of 16 x 16. The paper does not give the order of the pairs:
// two steps come nearest to it.
TEST(Brannick2013, Figure3ReshapingTheAggregatesOfAGrid) {
  auto const A = matrix("Laplace2D", {{"nx", 16}, {"ny", 16}});
  Energy const energy(A.A.local.view(), false);
  auto const dense = oracle::to_dense(A.A.local.view());
  auto const S = l1_jacobi(dense);
  auto const before = aggregates_of(A.A, 5), after = aggregates_of(A.A, 5, 2);
  EXPECT_NEAR(coarsening_ratio(before), 2.72, 0.005);
  EXPECT_EQ(coarsening_ratio(after), coarsening_ratio(before));
  EXPECT_NEAR(projection_energy(energy, before), 2.51, 0.005);
  EXPECT_NEAR(projection_energy(energy, after), 2.242, 0.005);  // paper: 2.19
  EXPECT_NEAR(two_level_rate(dense, S, before), 0.67, 0.005);
  EXPECT_NEAR(two_level_rate(dense, S, after), 0.69, 0.005);
}

/// P^T A P, entry by entry.
comm::DistCsr<double, Host> coarse_matrix(sparse::CsrView<double> A, std::vector<Index> const& aggregate) {
  std::vector<std::map<GlobalIndex, double>> row(*std::max_element(aggregate.begin(), aggregate.end()) + 1);
  for (Index i = 0; i < A.rows; ++i) {
    for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      row[aggregate[i]][aggregate[A.column[k]]] += A.value[k];
  }
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  for (auto const& entries : row) {
    for (auto const& [j, a] : entries) column.push_back(j), value.push_back(a);
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  comm::Distribution const rows(comm::Communicator(MPI_COMM_SELF), static_cast<Index>(row.size()));
  return comm::from_global(rows, rows, offsets, column, value);
}

/// A step from one level to the next: the paper's figures, and our energy.
struct LevelRow {
  Figures paper;
  double energy;
};

/// Our levels below the finest.
std::vector<Index> const vertices{5518, 1446, 422, 124, 33};

/// Levels with t = 5 on 128^2 vertices keep their figures; row[k][l]: from level l to level k + 1. From the
/// third level on there are few vertices: random numbers decide, and leaves, which join their neighbours,
/// increase the ratios. There only the energies are close to the paper's.
void expect_levels(std::string const& name, std::vector<std::vector<LevelRow>> const& row) {
  auto const finest = matrix(name, {{"nx", 128}, {"ny", 128}});
  std::vector<comm::DistCsr<double, Host>> level;
  std::vector<std::vector<Index>> aggregate;
  for (std::size_t k = 0; k < row.size(); ++k) {
    auto const& A = k == 0 ? finest.A : level.back();
    aggregate.push_back(aggregates_of(A, 5));
    level.push_back(coarse_matrix(A.local.view(), aggregate.back()));
    EXPECT_EQ(level.back().local.rows, vertices[k]);
  }
  for (std::size_t l = 0; l < row.size(); ++l) {
    Energy const energy((l == 0 ? finest.A : level[l - 1]).local.view(), name[0] == 'N');
    auto down = aggregate[l];
    for (std::size_t k = l; k < row.size(); ++k) {
      if (k > l) down = composed(down, aggregate[k]);
      Figures const ours{coarsening_ratio(down), projection_energy(energy, down)};
      auto const title = "from" + std::to_string(l) + "_to" + std::to_string(k + 1);
      SCOPED_TRACE(title);
      auto const& [paper, before] = row[k][l];
      EXPECT_NEAR(ours.energy, before, same_energy * before);
      EXPECT_NEAR(ours.energy, paper.energy, (k < 2 ? 0.01 : 0.2) * paper.energy);
      if (k < 3) {
        EXPECT_NEAR(ours.ratio, paper.ratio, 0.01 * paper.ratio);
      }
      if (k > l) {
        EXPECT_LT(ours.energy, ours.ratio);  // "always smaller", as the paper says
      }
      report(title, paper, ours);
    }
  }
}

TEST(Brannick2013, Table56LevelsOfAStructuredGrid) {
  expect_levels(
      "Laplace2D",
      {{{{2.97, 3.15}, 3.1525}},
       {{{11.3, 7.34}, 7.3445}, {{3.81, 3.09}, 3.0919}},
       {{{38.6, 15.3}, 15.046}, {{13.0, 6.74}, 6.78}, {{3.41, 2.68}, 2.6912}},
       {{{113.8, 31.9}, 32.428}, {{38.3, 13.9}, 14.758}, {{10.1, 5.25}, 5.6434}, {{2.95, 3.91}, 3.6408}},
       {{{321.3, 54.5}, 49.174},
        {{108.2, 22.5}, 20.502},
        {{28.4, 9.09}, 8.5412},
        {{8.33, 4.53}, 4.1763},
        {{2.82, 4.77}, 5.6175}}});
}

TEST(Brannick2013, Table57LevelsOfAStructuredGridWithoutBoundary) {
  expect_levels(
      "NeumannLaplace2D",
      {{{{2.97, 3.23}, 3.2371}},
       {{{11.3, 7.68}, 7.6851}, {{3.81, 3.28}, 3.2816}},
       {{{38.6, 16.9}, 16.376}, {{13.0, 7.99}, 7.8749}, {{3.41, 2.94}, 3.466}},
       {{{113.8, 42.5}, 41.005}, {{38.3, 20.6}, 20.254}, {{10.1, 7.07}, 7.1045}, {{2.95, 4.23}, 4.2215}},
       {{{321.3, 98.6}, 88.458},
        {{108.2, 48.3}, 44.594},
        {{28.4, 17.0}, 16.201},
        {{8.33, 7.11}, 6.586},
        {{2.82, 5.75}, 6.2646}}});
}

/// Aggregates from MIS(2), as in smoothed aggregation, are larger than PAA's, and keep their figures.
TEST(Brannick2013, AggregatesFromIndependentSetsHaveTheEnergyOfTheirSize) {
  for (auto const& [name, before] : {std::pair{"Laplace2D", Figures{7.06816, 3.83024}},
                                     std::pair{"Delaunay2D", Figures{8.63680, 4.21467}}}) {
    SCOPED_TRACE(name);
    auto const A = matrix(name, {{"nx", 128}, {"ny", 128}});
    auto const graph = aggregation::strength(Host{}, A.A, {}, {});
    std::vector<VertexId> ids(A.A.local.rows);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<VertexId>(i);
    auto const found = aggregation::aggregate(Host{}, graph, {ids.data(), ids.size()}, {});
    std::vector<Index> const aggregate(found.aggregate.begin(), found.aggregate.end());
    double const ratio = coarsening_ratio(aggregate);
    EXPECT_NEAR(ratio, before.ratio, 1e-5);
    double const measured = projection_energy(Energy(A.A.local.view(), false), aggregate);
    EXPECT_NEAR(measured, before.energy, same_energy * before.energy);
    EXPECT_GT(measured, std::sqrt(ratio));
    EXPECT_LT(measured, ratio);
    RecordProperty(name, std::to_string(ratio) + " " + std::to_string(measured));
  }
}

}  // namespace
}  // namespace Tessera::papers
