// K-cycles: the steps on each level, and what they are as preconditioners.
#include "oracle/k_cycle.hpp"

#include <gtest/gtest.h>

#include "krylov/conjugate_gradients.hpp"
#include "multigrid/levels.hpp"
#include "oracle/generators.hpp"
#include "support/threads.hpp"

namespace Tessera::multigrid {
namespace {

using Vector = std::vector<double>;

Parameters unsmoothed(CycleType cycle = CycleType::K, int k_levels = 3) {
  Parameters p;
  p.coarsening = CoarseningType::unsmoothed;
  p.cycle = cycle;
  p.k_levels = k_levels;
  p.coarse_max_size = 12;
  p.rows_per_rank = 60;  // the lower levels lie on one rank
  return p;
}

Hierarchy<double, Host> make(comm::DistCsr<double, Host> const& A, Parameters const& parameters) {
  return {Host{}, A, test::node_ids_on(Host{}, A.rows), {}, parameters};
}

oracle::KCycle whole(Levels<double, Host> const& levels) {
  oracle::KCycle result{{}, static_cast<std::size_t>(levels.parameters.k_levels), levels.coarse.has_value()};
  Host const host;
  for (std::size_t l = 0; l < levels.level.size(); ++l) {
    auto& level = *levels.level[l];
    bool const last = l + 1 == levels.level.size();
    oracle::KLevel one;
    one.A = test::dense(level.rows, level.rows, [&](auto x, auto y) { comm::multiply(host, level.A, x, y); });
    one.S = test::dense(level.rows, level.rows, [&](auto b, auto x) {
      if (last && levels.coarse) return levels.coarse->apply(host, b, x);
      core::copy(host, b, host, level.work.b.span());
      for (int sweep = 0; sweep < (last ? levels.parameters.coarse_sweeps : 1); ++sweep)
        level.smoother.smooth(host, level.A, level.work.vectors(), sweep == 0);
      core::copy(host, level.work.x.view(), host, x);
    });
    if (!last)
      one.P = test::dense(level.rows, level.coarsening->tentative().coarse_rows, [&](auto e, auto x) {
        core::fill(host, x, 0.0);
        std::visit([&](auto const& by) { by.correct(host, e, x); }, *level.transfer);
      });
    result.level.push_back(std::move(one));
  }
  return result;
}

/// One cycle on all ranks' b, gathered.
template <class Execute>
Vector cycled(test::InsideLevels const& inside, Vector const& b, Execute const& execute) {
  auto& work = inside.levels.level.front()->work;
  auto const& rows = inside.A.rows;
  std::copy(b.begin() + rows.begin(), b.begin() + rows.end(), work.b.begin());
  cycle<double>(inside.levels, execute);
  return rows.comm().all_gather(Vector(work.x.begin(), work.x.end()));
}
Vector cycled(test::InsideLevels const& inside, Vector const& b) {
  return cycled(inside, b, [](auto const& pass) { pass.run(Host{}); });
}

/// As a space does that runs ahead of the host: every second step's work is done.
struct DoEverything {
  template <class Pass>
  void operator()(Pass const& pass) const {
    pass.run(Host{});
  }
  void operator()(SecondStep<double, Host> const& step) const { step.passes(*this); }
};

struct Case {
  char const* name;
  sparse::Csr<double, Host> matrix;
  Parameters parameters;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"Laplace2D", oracle::laplace(30, 20), unsmoothed()});
  all.push_back({"one level of steps", oracle::laplace(30, 20), unsmoothed(CycleType::K, 1)});
  all.push_back({"strong smoothing", oracle::laplace(12, 12, 5), unsmoothed()});
  all.back().parameters.smoother.degree = 5;
  all.push_back({"anisotropic", oracle::anisotropic_laplace(30, 20, 1, 1.0, 0.05, 0.0), unsmoothed()});
  all.push_back({"smoother on the coarsest", oracle::laplace(24, 20), unsmoothed()});
  all.back().parameters.coarse = CoarseType::smoother;
  all.back().parameters.coarse_sweeps = 1;
  return all;
}

TEST(KCycle, IsTheOraclesToRounding) {
  int one_step = 0, two_steps = 0;
  for (auto const& c : cases()) {
    SCOPED_TRACE(c.name);
    test::InsideLevels const inside(c.matrix, c.parameters);
    ASSERT_GE(inside.levels.level.size(), 3u);
    auto expected = whole(inside.levels);
    for (int seed = 0; seed < 4; ++seed) {
      auto const b = seed == 0 ? Vector(c.matrix.rows, 1.0) : oracle::random_vector(c.matrix.rows, seed);
      auto const x = expected.cycle(0, b);
      double largest = 0;
      for (double v : x) largest = std::max(largest, std::abs(v));
      EXPECT_LE(oracle::largest_difference(cycled(inside, b), x), 1e-12 * largest) << seed;
    }
    one_step += expected.one_step;
    two_steps += expected.two_steps;
  }
  EXPECT_GT(one_step, 10);
  EXPECT_GT(two_steps, 10);
}

TEST(KCycle, SecondStepsThatAreNotWantedChangeNoBit) {
  for (auto const& c : cases()) {
    SCOPED_TRACE(c.name);
    test::InsideLevels const inside(c.matrix, c.parameters);
    for (int seed = 1; seed < 4; ++seed) {
      auto const b = oracle::random_vector(c.matrix.rows, seed);
      EXPECT_TRUE(oracle::same_bits(cycled(inside, b), cycled(inside, b, DoEverything{}))) << seed;
    }
  }
}

TEST(KCycle, DoesNotDependOnThreads) {
  auto const A = test::distribute(oracle::laplace(140, 110), test::share(test::world(), 15400));
  auto const solved = [&](int threads) {
    return testing::with_threads(threads, [&] {
      auto M = make(A, unsmoothed());
      return test::precondition(M, oracle::random_vector(A.local.rows, 3 + A.rows.begin()));
    });
  };
  auto const one = solved(1);
  EXPECT_TRUE(oracle::same_bits(one, solved(2)));
  EXPECT_TRUE(oracle::same_bits(one, solved(3)));
}

/// Of conjugate gradients, flexible where the cycle wants it.
template <class T>
int iterations(comm::DistCsr<double, Host> const& A, Hierarchy<T, Host>& M, CycleType cycle,
               Vector const& b) {
  krylov::Workspace<Host> workspace;
  krylov::Preconditioner preconditioner;
  preconditioner.apply = [&](Span<double const> r, Span<double> z) { M.apply(r, z); };
  preconditioner.symmetric = cycle != CycleType::K && cycle != CycleType::F;
  Vector x(b.size(), 0.0);
  auto const result =
      krylov::solve(Host{}, comm::DistMatrix<double, Host>(Host{}, A), preconditioner,
                    Span<double const>(b.data(), b.size()), Span<double>(x.data(), x.size()), {}, workspace);
  EXPECT_TRUE(result.converged) << result.reason;
  return result.iterations;
}

TEST(KCycle, EveryCycleSolvesAndKTakesTheFewestIterations) {
  auto const A = test::distribute(oracle::laplace(90, 80), test::share(test::world(), 7200));
  Vector const b(A.local.rows, 1.0);
  for (auto coarsening : {CoarseningType::unsmoothed, CoarseningType::smoothed}) {
    std::vector<int> taken;
    for (auto cycle : {CycleType::V, CycleType::F, CycleType::W, CycleType::K}) {
      auto p = unsmoothed(cycle);
      p.coarsening = coarsening;
      auto M = make(A, p);
      taken.push_back(iterations(A, M, cycle, b));
    }
    for (std::size_t i = 1; i < taken.size(); ++i) EXPECT_LE(taken[i], taken[i - 1]) << i;
    if (coarsening == CoarseningType::unsmoothed) {
      EXPECT_LT(4 * taken.back(), 3 * taken.front());
    }
  }
}

TEST(KCycle, IterationsDependOnRanksByOneAtMost) {
  auto const whole = oracle::laplace(60, 50);
  auto const spread = test::distribute(whole, test::share(test::world(), whole.rows, false));
  auto const alone = test::distribute(whole, {comm::Communicator(), whole.rows});
  for (int const rows_per_rank : {0, 60, 2000}) {
    auto p = unsmoothed();
    p.rows_per_rank = rows_per_rank;
    auto M = make(spread, p), one = make(alone, p);
    int const expected = iterations(alone, one, p.cycle, Vector(alone.local.rows, 1.0));
    EXPECT_NEAR(iterations(spread, M, p.cycle, Vector(spread.local.rows, 1.0)), expected, 1);
  }
}

TEST(KCycle, WorksInFloat) {
  auto const A = test::distribute(oracle::laplace(60, 50), test::share(test::world(), 3000, false));
  Vector const b(A.local.rows, 1.0);
  auto M = make(A, unsmoothed());
  Hierarchy<float, Host> in_float(Host{}, A, test::node_ids_on(Host{}, A.rows), {}, unsmoothed());
  EXPECT_NEAR(iterations(A, in_float, CycleType::K, b), iterations(A, M, CycleType::K, b), 1);
}

TEST(KCycle, IsHomogeneous) {
  auto const whole = oracle::laplace(30, 20);
  test::InsideLevels const inside(whole, unsmoothed());
  auto b = oracle::random_vector(whole.rows, 5);
  auto x = cycled(inside, b);
  for (auto& v : b) v *= 1024;
  for (auto& v : x) v *= 1024;
  EXPECT_TRUE(oracle::same_bits(cycled(inside, b), x));
}

TEST(KCycle, GivesNumbersForSingularTinyAndEmptySystemsAndZeros) {
  for (auto const& whole : {oracle::neumann_laplace(30, 20), oracle::laplace(1), oracle::laplace(3),
                            oracle::make_csr(0, 0, {0}, {}, {}), oracle::laplace(30, 20)}) {
    for (auto const coarse : {CoarseType::dense, CoarseType::smoother}) {
      auto p = unsmoothed();
      p.coarse = coarse;
      p.coarse_max_size = 2;
      p.strength.drop_tolerance = 0;
      auto const A = test::distribute(whole, test::share(test::world(), whole.rows, false));
      auto M = make(A, p);
      for (double const value : {0.0, 1.0, 1e-30}) {  // constants are out of the range of the first
        for (double x : test::precondition(M, Vector(A.local.rows, value))) {
          EXPECT_TRUE(std::isfinite(x));
          if (value == 0) {
            EXPECT_EQ(x, 0);
          }
        }
      }
    }
  }
}

TEST(KCycle, SolvesANeumannProblemWithAConsistentRightHandSide) {
  auto const A = test::distribute(oracle::neumann_laplace(30, 20), test::share(test::world(), 600, false));
  Vector ramp;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) ramp.push_back(static_cast<double>(i % 30));
  auto p = unsmoothed();
  p.strength.drop_tolerance = 0;
  auto M = make(A, p);
  EXPECT_LE(iterations(A, M, p.cycle, test::times(A, ramp)), 20);
}

TEST(KCycle, ARefreshIsASetupBitwise) {
  auto A = test::distribute(oracle::laplace(30, 20), test::share(test::world(), 600, false));
  auto M = make(A, unsmoothed());
  for (auto& a : A.local.value) a *= 3;
  auto fresh = make(A, unsmoothed());
  Vector const b(A.local.rows, 1.0);
  for (int times = 0; times < 2; ++times) {
    M.refresh(A);
    EXPECT_TRUE(oracle::same_bits(test::precondition(M, b), test::precondition(fresh, b)));
  }
}

TEST(KCycle, ReportsItsCycleAndItsMemory) {
  auto const A = test::distribute(oracle::laplace(30, 20), test::share(test::world(), 600));
  auto K = make(A, unsmoothed()), W = make(A, unsmoothed(CycleType::W));
  ASSERT_EQ(K.report().levels.size(), 3u);
  EXPECT_EQ(K.report().cycle, "K, not linear, with steps on 1 level");
  EXPECT_EQ(W.report().cycle, "W");
  EXPECT_EQ(K.report().levels[0].bytes, W.report().levels[0].bytes);
  EXPECT_GE(K.report().levels[1].bytes, W.report().levels[1].bytes + 16 * W.report().levels[1].rows);
  EXPECT_GT(K.report().cycle_bytes, W.report().cycle_bytes);
}

TEST(Steps, WithoutEnergyHaveNoLength) {
  StepLengths lengths{7, 7, 7, true};
  auto const first = [&](FirstSums const& sums) {
    FinishFirst{&lengths}(sums);
    EXPECT_EQ(lengths.second, 0);
    return lengths.first;
  };
  EXPECT_EQ(first({0, 0, 0, 0, 0}), 0);  // b = 0
  EXPECT_EQ(first({0, 1, 1, 0, 0}), 0);  // c in the nullspace
  EXPECT_EQ(first({-1, 1, 1, 1, 1}), 0);
  EXPECT_EQ(first({1e-9, 1, 1, 0, 0}), 0);  // but for rounding
  EXPECT_FALSE(lengths.second_wanted);
  EXPECT_EQ(first({std::nan(""), 1, 1, 1, 1}), 0);
}

// b = (4, 0): c = (1, 1) with A = diag(1, 3) has A c = (1, 3), alpha = 4/4, and leaves (3, -3).
TEST(Steps, TwoByHand) {
  StepLengths lengths{};
  FinishFirst{&lengths}({4, 4, 16, 4, 10});
  EXPECT_EQ(lengths.first, 1);
  EXPECT_EQ(lengths.energy, 4);
  EXPECT_TRUE(lengths.second_wanted);
  // d = (1, 0): A d = (1, 0), (d, A c) = 1, (d, b) = 3; d - c/4 = (3, -1)/4 has energy 3/4, so gamma = 4.
  FinishSecond{&lengths}({1, 1, 3});
  EXPECT_EQ(lengths.second, 4);
  EXPECT_EQ(lengths.first, 0);  // x = (4, 0), exactly
  // d = c brings nothing.
  FinishFirst{&lengths}({4, 4, 16, 4, 10});
  FinishSecond{&lengths}({4, 4, 0});
  EXPECT_EQ(lengths.second, 0);
  EXPECT_EQ(lengths.first, 1);
  // A quarter of ||b|| is enough: what is left is 16 - 2 * 15.5 + 16 = 1.
  FinishFirst{&lengths}({4, 4, 16, 15.5, 16});
  EXPECT_FALSE(lengths.second_wanted);
  FinishSecond{&lengths}({1, 1, 3});
  EXPECT_EQ(lengths.second, 0);
}

}  // namespace
}  // namespace Tessera::multigrid
