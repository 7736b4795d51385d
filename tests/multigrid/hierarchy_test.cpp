#include "multigrid/levels/hierarchy.hpp"

#include <gtest/gtest.h>

#include "multigrid/coarsenings.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"
#include "support/stored.hpp"

namespace Tessera::multigrid {
namespace {

using test::small_coarsest;
using Vector = std::vector<double>;

template <class T = double>
Hierarchy<T, Host> make(comm::DistCsr<double, Host> const& A, Parameters const& parameters) {
  return {Host{}, A, test::node_ids_on(Host{}, A.rows, parameters.equations), {}, parameters};
}

/// The preconditioner as a dense matrix, column by column, on every rank.
template <class T>
oracle::Dense dense(Hierarchy<T, Host>& M, comm::Distribution const& rows) {
  auto const n = static_cast<Index>(rows.global_size());
  oracle::Dense result(n, n);
  for (Index j = 0; j < n; ++j) {
    Vector e(rows.local_size(), 0.0);
    if (rows.owns(j)) e[j - rows.begin()] = 1;
    auto const column = rows.comm().all_gather(test::precondition(M, e));
    for (Index i = 0; i < n; ++i) result(i, j) = column[i];
  }
  return result;
}

TEST(Hierarchy, IsASymmetricPositivePreconditionerForEverySmootherAndCycle) {
  auto const A = test::distribute(oracle::laplace(12, 9), test::share(test::world(), 108, false));
  for (auto smoother :
       {SmootherType::jacobi, SmootherType::l1_jacobi, SmootherType::chebyshev, SmootherType::fsai}) {
    for (auto cycle : {CycleType::V, CycleType::W}) {
      auto p = small_coarsest(5);
      p.smoother.type = smoother;
      p.cycle = cycle;
      auto M = make(A, p);
      auto const D = dense(M, A.rows);
      EXPECT_LT(oracle::largest_difference(D, oracle::transposed(D)), 1e-13);
      EXPECT_GT(oracle::symmetric_eigenvalues(D).front(), 0);
    }
  }
}

TEST(Hierarchy, SeveralApplicationsAreSoManyStepsOfTheIterationByOne) {
  auto const A = test::distribute(oracle::laplace(12, 9), test::share(test::world(), 108, false));
  for (auto cycle : {CycleType::V, CycleType::W, CycleType::F, CycleType::K}) {
    auto p = small_coarsest(5);
    p.cycle = cycle;
    auto once = make(A, p);
    p.applications = 3;
    auto thrice = make(A, p);
    auto const b = oracle::random_vector(A.local.rows, 3 + A.rows.begin());
    Vector x(b.size(), 0.0), r = b;
    for (int i = 0; i < 3; ++i) {
      auto const e = test::precondition(once, r);
      for (std::size_t k = 0; k < x.size(); ++k) x[k] += e[k];
      auto const Ax = test::times(A, x);
      for (std::size_t k = 0; k < x.size(); ++k) r[k] = b[k] - Ax[k];
    }
    auto const y = test::precondition(thrice, b);
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(y[k], x[k], 1e-12 * (1 + std::abs(x[k])));
    EXPECT_NEAR(thrice.report().cycle_bytes / once.report().cycle_bytes, 3, 0.3);
    if (cycle == CycleType::F || cycle == CycleType::K) continue;
    auto const D = dense(thrice, A.rows);
    EXPECT_LT(oracle::largest_difference(D, oracle::transposed(D)), 1e-13);
    EXPECT_GT(oracle::symmetric_eigenvalues(D).front(), 0);
  }
}

TEST(Hierarchy, OneLevelSolvesExactly) {
  auto const whole = oracle::laplace(6, 5);
  auto const A = test::distribute(whole, test::share(test::world(), 30, false));
  auto M = make(A, small_coarsest());
  ASSERT_EQ(M.report().levels.size(), 1u);
  auto const x = test::precondition(M, Vector(A.local.rows, 1.0));
  auto const exact = oracle::solve(oracle::to_dense(whole.view()), Vector(30, 1.0));
  for (Index i = 0; i < A.local.rows; ++i) EXPECT_NEAR(x[i], exact[A.rows.begin() + i], 1e-12);
}

TEST(Hierarchy, ConvergesInFewIterationsInDoubleAndInFloat) {
  auto const A = test::distribute(oracle::laplace(60, 60), test::share(test::world(), 3600));
  Vector const b(A.local.rows, 1.0);
  Vector x;
  auto in_double = make<double>(A, small_coarsest());
  auto in_float = make<float>(A, small_coarsest());
  int const iterations = test::conjugate_gradients(A, in_double, b, x);
  EXPECT_LE(iterations, 15);
  EXPECT_LE(test::conjugate_gradients(A, in_float, b, x), iterations + 1);
}

TEST(Hierarchy, WhatIsBeyondFloatTakesFewIterationsInFloatToo) {
  for (auto const& whole : test::beyond_float()) {
    auto const A = test::distribute(whole, test::share(test::world(), whole.rows, false));
    auto const b = test::times(A, oracle::random_vector(A.local.rows, 3 + A.rows.begin()));
    Vector x;
    auto in_double = make<double>(A, {});
    auto in_float = make<float>(A, {});
    int const iterations = test::conjugate_gradients(A, in_double, b, x);
    EXPECT_LE(iterations, 15) << whole.rows << " rows";
    EXPECT_LE(test::conjugate_gradients(A, in_float, b, x), iterations + 3) << whole.rows << " rows";
  }
}

TEST(Hierarchy, IsBitwiseTheSameInEveryFormat) {
  auto const A = test::distribute(oracle::laplace(40, 30), test::share(test::world(), 1200, false));
  Vector const b(A.local.rows, 1.0);
  auto const precondition = [&](MatrixFormat format, auto type, bool half = false) {
    auto p = small_coarsest();
    p.format = format;
    p.half = half ? HalfLevels::all : HalfLevels::none;
    auto M = make<decltype(type)>(A, p);
    Vector x;
    EXPECT_LE(test::conjugate_gradients(A, M, b, x), 15);
    return test::precondition(M, b);
  };
  for (auto const& [name, format] : test::formats()) {
    EXPECT_EQ(precondition(format, double{}), precondition(MatrixFormat::csr, double{})) << name;
    for (bool const half : {false, true})
      EXPECT_EQ(precondition(format, float{}, half), precondition(MatrixFormat::csr, float{}, half)) << name;
  }
}

TEST(Hierarchy, IsBitwiseTheSameInEveryModeOfCommunication) {
  auto const whole = oracle::laplace(40, 30);
  auto const precondition = [&](comm::Overlap overlap, Parameters const& parameters) {
    auto const comm = test::world();
    comm.choose_overlap(overlap, comm::mpi_thread_level());
    auto const A = test::distribute(whole, test::share(comm, whole.rows, false));
    auto M = make(A, parameters);
    Vector x;
    EXPECT_LE(test::conjugate_gradients(A, M, Vector(A.local.rows, 1.0), x), 60);
    M.refresh(A);
    return test::precondition(M, x);
  };
  auto smoothed = small_coarsest(), unsmoothed = smoothed, with_fsai = smoothed;
  unsmoothed.coarsening = CoarseningType::unsmoothed;
  with_fsai.smoother.type = SmootherType::fsai;
  for (auto const& parameters : {smoothed, unsmoothed, with_fsai}) {
    auto const expected = precondition(comm::Overlap::automatic, parameters);
    for (auto const overlap : {comm::Overlap::none, comm::Overlap::naive, comm::Overlap::task})
      EXPECT_EQ(precondition(overlap, parameters), expected);
  }
}

TEST(Hierarchy, LevelsHaveTheSameRowsHoweverManyRanksShareThem) {
  auto const whole = oracle::laplace(20, 15, 10);
  auto const spread = test::distribute(whole, test::share(test::world(), 3000, false));
  comm::Communicator const self;
  auto const alone = test::distribute(whole, {self, 3000});
  for (auto smoother : {SmootherType::chebyshev, SmootherType::fsai}) {
    auto p = small_coarsest();
    p.smoother.type = smoother;
    auto M = make(spread, p), one = make(alone, p);
    ASSERT_EQ(M.report().levels.size(), one.report().levels.size());
    for (std::size_t l = 0; l < M.report().levels.size(); ++l) {
      EXPECT_EQ(M.report().levels[l].rows, one.report().levels[l].rows);
      EXPECT_EQ(M.report().levels[l].nonzeros, one.report().levels[l].nonzeros);
    }
    Vector x;
    int const iterations = test::conjugate_gradients(alone, one, Vector(3000, 1.0), x);
    EXPECT_NEAR(test::conjugate_gradients(spread, M, Vector(spread.local.rows, 1.0), x), iterations, 1);
  }
}

/// Unsmoothed aggregates of all couplings, reshaped so often.
Parameters unsmoothed(int reshaping_steps) {
  auto p = small_coarsest();
  p.coarsening = CoarseningType::unsmoothed;
  p.cycle = CycleType::W;
  p.strength.drop_tolerance = 0.0;
  p.aggregation.reshaping_steps = reshaping_steps;
  return p;
}

TEST(Hierarchy, ReshapedAggregatesTakeFewerIterationsWhereCouplingsAreAnisotropic) {
  auto const A =
      test::distribute(oracle::anisotropic_laplace(64, 64, 1, 1, 0.001, 0), test::share(test::world(), 4096));
  Vector const b(A.local.rows, 1.0);
  Vector x;
  auto plain = make(A, unsmoothed(0)), reshaped = make(A, unsmoothed(4));
  EXPECT_LT(test::conjugate_gradients(A, reshaped, b, x), test::conjugate_gradients(A, plain, b, x));
}

TEST(Hierarchy, ReshapedLevelsDoNotDependOnRanks) {
  auto const whole = oracle::jumping_diffusion(50, 40, 3, 1e-3, 7);
  auto const spread = test::distribute(whole, test::share(test::world(), 2000, false));
  auto const alone = test::distribute(whole, {comm::Communicator(), 2000});
  auto M = make(spread, unsmoothed(3)), one = make(alone, unsmoothed(3));
  ASSERT_EQ(M.report().levels.size(), one.report().levels.size());
  for (std::size_t l = 0; l < M.report().levels.size(); ++l) {
    EXPECT_EQ(M.report().levels[l].nonzeros, one.report().levels[l].nonzeros);
    EXPECT_EQ(M.report().levels[l].smallest_aggregate, one.report().levels[l].smallest_aggregate);
    EXPECT_EQ(M.report().levels[l].largest_aggregate, one.report().levels[l].largest_aggregate);
  }
}

TEST(Hierarchy, ASparseInverseSmoothsBetterThanADiagonal) {
  auto const A =
      test::distribute(oracle::anisotropic_laplace(16, 16, 12, 1, 3, 9), test::share(test::world(), 3072));
  auto p = small_coarsest();
  Vector const b(A.local.rows, 1.0);
  Vector x;
  auto diagonal = make(A, p);
  p.smoother.type = SmootherType::fsai;
  auto inverse = make(A, p);
  EXPECT_LT(test::conjugate_gradients(A, inverse, b, x), test::conjugate_gradients(A, diagonal, b, x));
}

TEST(Hierarchy, SaysWhichRowsOfASparseInverseAreCut) {
  auto const A = test::distribute(oracle::laplace(16, 16, 12), test::share(test::world(), 3072));
  auto p = small_coarsest();
  p.smoother.type = SmootherType::fsai;
  EXPECT_EQ(make(A, p).report().levels.front().smoother.find("rows cut"), std::string::npos);
  p.smoother.fsai.max_row_size = 3;  // rows inside have the diagonal and three couplings below
  auto const words = core::message(15 * 15 * 11, " rows cut to 3 entries");
  auto hierarchy = make(A, p);
  auto const smoother = hierarchy.report().levels.front().smoother;
  EXPECT_NE(smoother.find(words), std::string::npos) << smoother;
}

TEST(Hierarchy, SmallLevelsMoveToFewerRanksWithoutChangingThePreconditioner) {
  auto const A = test::distribute(oracle::laplace(20, 15, 10), test::share(test::world(), 3000));
  auto p = small_coarsest();
  auto spread = make(A, p);
  p.rows_per_rank = 1000;
  auto gathered = make(A, p);
  for (auto const& level : gathered.report().levels) {
    if (level.rows < 1000) {
      EXPECT_EQ(level.active_ranks, 1);
    }
  }
  auto b = test::node_ids(A.rows);
  Vector const rhs(b.begin(), b.end());
  auto const x = test::precondition(spread, rhs), y = test::precondition(gathered, rhs);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-9 * (1 + std::abs(x[i])));
}

TEST(Hierarchy, SolvesASingularNeumannProblemWithAConsistentRightHandSide) {
  auto const A = test::distribute(oracle::neumann_laplace(30, 20), test::share(test::world(), 600, false));
  Vector ramp;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) ramp.push_back(static_cast<double>(i % 30));
  auto const b = test::times(A, ramp);
  for (auto const& way : test::ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    // Plain sums of weak entries would keep the constant of the finest level, not the coarse near-nullspace:
    // with a drop tolerance the coarsest matrix would be nearly singular only.
    for (double tolerance : {0.0, 0.02}) {
      auto p = small_coarsest();
      way.choose(p);
      p.strength.drop_tolerance = tolerance;
      auto M = make(A, p);
      EXPECT_NE(M.report().levels.back().smoother.find("nullspace of dimension 1"), std::string::npos);
      Vector x;
      EXPECT_LE(test::conjugate_gradients(A, M, b, x), 20);
    }
  }
}

// A share of the nullspace that is far below the tolerance does not grow on the way to it.
TEST(Hierarchy, ASingularMatrixForgivesALittleOfItsNullspace) {
  auto const A = test::distribute(oracle::neumann_laplace(60, 60), test::share(test::world(), 3600, false));
  Vector ramp;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) ramp.push_back(static_cast<double>(i % 60));
  for (auto const& way : test::ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    auto p = small_coarsest(60);
    way.choose(p);
    if (p.cycle == CycleType::K) continue;  // for flexible conjugate gradients
    auto M = make(A, p);
    // Root nodes make 18 times of it: the column sums of their P differ most, and of that of coarse vertices.
    bool const grows =
        p.coarsening == CoarseningType::root_nodes || p.coarsening == CoarseningType::classical;
    double const most = grows ? 1e-10 : 1e-9;
    for (double const share : {1e-11, 1e-10, most}) {
      auto b = test::times(A, ramp);
      double const norm = std::sqrt(test::dot(A.rows.comm(), b, b));
      for (auto& x : b) x += share * norm / 60;
      Vector x;
      EXPECT_LE(test::conjugate_gradients(A, M, b, x), 25);
    }
  }
}

// Two unknowns a node, each a Neumann problem, coupled: constants of both are the nullspace.
TEST(Hierarchy, KeepsTheNullspaceOfNodesOfSeveralUnknowns) {
  auto const grid = oracle::neumann_laplace(30, 20);
  oracle::Dense both(1200, 1200);
  for (Index i = 0; i < 600; ++i) {
    for (auto k = grid.offsets[i]; k < grid.offsets[i + 1]; ++k) {
      for (int e = 0; e < 4; ++e)
        both(2 * i + e / 2, 2 * grid.column[k] + e % 2) = grid.value[k] * (e / 2 == e % 2 ? 1 : 0.4);
    }
  }
  auto const A = test::distribute(oracle::to_csr(both), test::share(test::world(), 1200, false, 2));
  Vector ramp;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) ramp.push_back(static_cast<double>(i % 30));
  auto const b = test::times(A, ramp);
  for (bool const matching : {false, true}) {
    auto p = small_coarsest();
    p.equations = 2;
    p.strength.drop_tolerance = 0.1;
    if (matching) p.aggregation.scheme = aggregation::AggregationScheme::matching;
    Hierarchy<double, Host> M(Host{}, A, test::node_ids_on(Host{}, A.rows, 2), {}, p);
    auto const report = M.report();
    EXPECT_GT(report.levels.size(), 2u);
    EXPECT_NE(report.levels.back().smoother.find("nullspace of dimension 2"), std::string::npos);
    Vector x;
    EXPECT_LE(test::conjugate_gradients(A, M, b, x), 20);
    for (int i = 0; i < 2; ++i) {  // as a setup, then by patterns that are kept
      M.refresh(A);
      test::expect_same_levels(M.report(), report);
    }
  }
}

TEST(Hierarchy, SolvesDisconnectedSystemsWithDirichletRows) {
  // Two grids of 100 rows and 50 rows that stand alone.
  auto const grid = oracle::to_dense(oracle::laplace(10, 10).view());
  oracle::Dense both(250, 250);
  for (Index i = 0; i < 100; ++i) {
    for (Index j = 0; j < 100; ++j) both(i, j) = both(150 + i, 150 + j) = grid(i, j);
  }
  for (Index i = 100; i < 150; ++i) both(i, i) = 3;
  auto const A = test::distribute(oracle::to_csr(both), test::share(test::world(), 250, false));
  for (auto const& way : test::ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    auto p = small_coarsest(10);
    way.choose(p);
    auto M = make(A, p);
    EXPECT_GT(M.report().levels.size(), 1u);
    Vector x;
    EXPECT_LE(test::conjugate_gradients(A, M, Vector(A.local.rows, 1.0), x), 15);
  }
}

TEST(Hierarchy, DiagonalSystemsAndTinyOnesAreSolvedAtOnce) {
  for (Index n : {0, 1, 2, 700}) {
    oracle::Dense D(n, n);
    for (Index i = 0; i < n; ++i) D(i, i) = 1 + i % 3;
    auto const A = test::distribute(oracle::to_csr(D), test::share(test::world(), n, false));
    for (auto const& way : test::ways_to_coarsen()) {
      SCOPED_TRACE(way.name);
      auto p = small_coarsest();
      way.choose(p);
      auto M = make(A, p);
      Vector x;
      EXPECT_EQ(test::conjugate_gradients(A, M, Vector(A.local.rows, 1.0), x), n == 0 ? 0 : 1) << n;
      for (Index i = 0; i < A.local.rows; ++i)
        EXPECT_NEAR(x[i], 1.0 / static_cast<double>(1 + (A.rows.begin() + i) % 3), 1e-14);
    }
  }
}

TEST(Hierarchy, LevelsThatCannotShrinkFallToTheSmootherAndSaySo) {
  Index const n = 5000;  // isolated vertices: nothing to aggregate, too many for a dense inverse
  std::vector<Offset> offsets(n + 1);
  std::vector<Index> column(n);
  for (Index i = 0; i < n; ++i) offsets[i + 1] = (column[i] = i) + 1;
  auto const whole = oracle::make_csr(n, n, offsets, column, Vector(n, 2.0));
  auto const A = test::distribute(whole, test::share(test::world(), n));
  auto M = make(A, small_coarsest());
  ASSERT_EQ(M.report().warnings.size(), 2u);
  EXPECT_NE(M.report().warnings[0].find("coarsening stopped at level 0"), std::string::npos);
  EXPECT_NE(M.report().warnings[1].find("smoother sweeps"), std::string::npos);
}

TEST(Hierarchy, ReportsComplexitiesAndOneAggregateARow) {
  auto const A = test::distribute(oracle::laplace(40, 40), test::share(test::world(), 1600));
  auto M = make(A, small_coarsest());
  auto const& report = M.report();
  double rows = 0, nonzeros = 0;
  for (std::size_t l = 0; l < report.levels.size(); ++l) {
    auto const& level = report.levels[l];
    rows += level.rows;
    nonzeros += level.nonzeros;
    EXPECT_EQ(level.checksum.size(), 16u);
    if (l + 1 < report.levels.size()) {
      EXPECT_EQ(level.aggregates, report.levels[l + 1].rows);
      EXPECT_LE(level.smallest_aggregate, level.largest_aggregate);
      EXPECT_GE(level.smallest_aggregate, 1);
    }
  }
  EXPECT_DOUBLE_EQ(report.grid_complexity, rows / 1600);
  EXPECT_DOUBLE_EQ(report.operator_complexity, nonzeros / report.levels[0].nonzeros);
}

// 10 rows of (-1, 2, -1) as CSR: 11 offsets and 28 entries are 88 + 28 * 12 = 424 bytes, a vector is 80, and
// b and x are each converted once, 2 * 160. Two sweeps of Jacobi move, from zero: b, D^-1, z; z, x. Then: A,
// x, b, D^-1, r, z; z, x, x.
TEST(Hierarchy, ReportsTheBytesThatACycleMoves) {
  comm::Distribution const rows(comm::Communicator{}, 10);
  auto const A = test::distribute(oracle::laplace(10), rows);
  Parameters parameters;
  parameters.format = MatrixFormat::csr;
  Hierarchy<double, Host> dense(Host{}, A, test::node_ids_on(Host{}, rows), {}, parameters);
  EXPECT_EQ(dense.report().cycle_bytes, 10 * 80 + 2 * 80 + 320);
  parameters.coarse = CoarseType::smoother;
  parameters.coarse_sweeps = 2;
  parameters.smoother.type = SmootherType::jacobi;
  Hierarchy<double, Host> swept(Host{}, A, test::node_ids_on(Host{}, rows), {}, parameters);
  EXPECT_EQ(swept.report().cycle_bytes, 5 * 80 + 424 + 8 * 80 + 320);
}

TEST(Hierarchy, SetupAgainGivesTheSameBits) {
  auto const A = test::distribute(oracle::laplace(20, 15, 10), test::share(test::world(), 3000, false));
  auto first = make(A, small_coarsest()), second = make(A, small_coarsest());
  test::expect_same_levels(first.report(), second.report());
  Vector const b(A.local.rows, 1.0);
  EXPECT_EQ(test::precondition(first, b), test::precondition(second, b));
}

// Aggregates of a planar graph that are joined by an edge are a planar graph, which has at most 3 n - 6
// edges.
TEST(Hierarchy, UnsmoothedHasTheCoarseMatricesOfPlainAggregation) {
  auto const rows = test::share(test::world(), 1600);
  auto const A = test::distribute(oracle::laplace(40, 40), rows);
  auto const nonzeros_and_rows = [&](CoarseningType kind) {
    Parameters p;
    p.coarse_max_size = 60;
    p.coarsening = kind;
    Hierarchy<double, Host> M(Host{}, A, test::node_ids_on(Host{}, rows), {}, p);
    auto const& coarse = M.report().levels.at(1);
    return std::pair(coarse.nonzeros, coarse.rows);
  };
  auto const [plain, n] = nonzeros_and_rows(CoarseningType::unsmoothed);
  EXPECT_LE(plain, n + 2 * (3 * n - 6));
  auto const [smoothed, same] = nonzeros_and_rows(CoarseningType::smoothed);
  EXPECT_EQ(same, n);
  EXPECT_GT(smoothed, n + 2 * (3 * n - 6));
}

}  // namespace
}  // namespace Tessera::multigrid
