#include "multigrid/levels/bootstrap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "multigrid/slow_error.hpp"
#include "multigrid/systems.hpp"
#include "oracle/lapack.hpp"

namespace Tessera::multigrid {
namespace {

using Vector = std::vector<double>;

/// Differences for -div(K grad u) with Dirichlet boundaries, where K is 1 along a line at 22.5 degrees to the
/// x axis and 0.001 across it: couplings a to east and west, b to north and south, +-c/2 to the corners.
sparse::Csr<double, Host> rotated_anisotropy(Index n) {
  double const angle = M_PI / 8, across = 1e-3, cosine = std::cos(angle), sine = std::sin(angle);
  double const a = cosine * cosine + across * sine * sine, b = sine * sine + across * cosine * cosine;
  double const c = (1 - across) * cosine * sine;
  oracle::Dense A(n * n, n * n);
  double const stencil[3][3] = {{-c / 2, -b, c / 2}, {-a, 2 * (a + b), -a}, {c / 2, -b, -c / 2}};
  for (Index y = 0; y < n; ++y)
    for (Index x = 0; x < n; ++x)
      for (Index v = std::max(0, y - 1); v < std::min(n, y + 2); ++v)
        for (Index u = std::max(0, x - 1); u < std::min(n, x + 2); ++u)
          A(y * n + x, v * n + u) = stencil[v - y + 1][u - x + 1];
  return oracle::to_csr(A);
}

comm::DistCsr<double, Host> shared(sparse::Csr<double, Host> const& whole, bool even = false, int block = 1) {
  return test::distribute(whole, test::share(test::world(), whole.rows, even, block));
}

Parameters of(int components, double rate = 1e-3, int sweeps = 20) {
  Parameters p;
  p.aggregation.scheme = aggregation::AggregationScheme::matching;
  p.coarse_max_size = 20;
  p.rows_per_rank = 60;  // the lower levels lie on one rank
  p.bootstrap = {components, rate, sweeps};
  return p;
}

template <class T = double>
Bootstrap<T, Host> make(comm::DistCsr<double, Host> const& A, Parameters const& parameters,
                        NearNullspace const& nullspace = {}) {
  return {Host{}, A, test::node_ids_on(Host{}, A.rows, parameters.equations), nullspace, parameters};
}

template <class Operator>
oracle::Dense dense(comm::DistCsr<double, Host> const& A, Operator& M) {
  return test::dense(A.rows, A.rows, [&](auto b, auto x) { M.apply(b, x); });
}

template <class T>
Vector rates(Bootstrap<T, Host>& M) {
  Vector all;
  for (auto const& one : M.report().components) all.push_back(one.convergence_rate);
  return all;
}

TEST(Bootstrap, ConvergesFasterWithEachComponent) {
  auto const A = shared(rotated_anisotropy(30));
  auto M = make(A, of(4));
  auto const all = rates(M);
  ASSERT_EQ(all.size(), 4u);
  for (std::size_t k = 1; k < all.size(); ++k) EXPECT_LT(all[k], 0.95 * all[k - 1]) << k;
  int before = 1000;
  Vector x;
  for (int const components : {1, 2, 4}) {
    auto one = make(A, of(components));
    int const iterations = test::conjugate_gradients(A, one, Vector(A.local.rows, 1.0), x);
    EXPECT_LT(iterations, before);
    before = iterations;
  }
}

TEST(Bootstrap, StopsAtTheWantedRate) {
  auto const A = shared(rotated_anisotropy(30));
  auto all = make(A, of(4));
  auto const rate = rates(all);
  for (std::size_t wanted = 0; wanted < rate.size(); ++wanted) {
    auto M = make(A, of(4, rate[wanted]));
    EXPECT_EQ(rates(M), Vector(rate.begin(), rate.begin() + static_cast<std::ptrdiff_t>(wanted) + 1));
  }
}

TEST(Bootstrap, OfOneComponentIsTheHierarchyBitwise) {
  auto const A = shared(rotated_anisotropy(30));
  auto const b = oracle::random_vector(A.local.rows, 3 + A.rows.begin());
  auto M = make<float>(A, of(1));
  Hierarchy<float, Host> alone(Host{}, A, test::node_ids_on(Host{}, A.rows), {}, of(1));
  test::expect_same_levels(M.report(), alone.report());
  EXPECT_TRUE(oracle::same_bits(test::precondition(M, b), test::precondition(alone, b)));
}

// I - B A = (I - B_1 A) (I - B_2 A) (I - B_1 A), where B_2 is made for the error that B_1 reduces least.
TEST(Bootstrap, IsTheSymmetricProductOfItsComponents) {
  auto const whole = rotated_anisotropy(12);
  auto const A = shared(whole);
  auto const p = of(2);
  Hierarchy<double, Host> first(Host{}, A, test::node_ids_on(Host{}, A.rows), {}, p);
  auto const ids = test::node_ids_on(Host{}, A.rows);
  SlowError<Host> slow(Host{}, A, ids.view(), {}, 1);
  slow.measure(p.bootstrap.sweeps, [&](auto r, auto x) { first.apply(r, x); });
  NearNullspace w;
  w.vectors = 1;
  w.values = Vector(slow.vector().begin(), slow.vector().end());
  Hierarchy<double, Host> second(Host{}, A, test::node_ids_on(Host{}, A.rows), w, p);
  auto M = make(A, p);
  ASSERT_EQ(rates(M).size(), 2u);

  auto const matrix = oracle::to_dense(whole.view()), one = oracle::identity(whole.rows);
  auto const error = [&](auto& B) { return oracle::sum(1, one, -1, oracle::product(dense(A, B), matrix)); };
  auto const B1 = error(first), B2 = error(second);
  EXPECT_LE(oracle::largest_difference(error(M), oracle::product(B1, oracle::product(B2, B1))), 1e-12);

  auto B = dense(A, M);
  EXPECT_LE(oracle::largest_difference(B, oracle::transposed(B)), 1e-12);
  EXPECT_TRUE(oracle::is_positive_definite(oracle::sum(0.5, B, 0.5, oracle::transposed(B))));
}

TEST(Bootstrap, DoesNotDependOnRanks) {
  auto const whole = rotated_anisotropy(30);
  auto const alone = test::distribute(whole, {comm::Communicator(), whole.rows});
  auto one = make(alone, of(3));
  auto const b = oracle::random_vector(whole.rows, 5);
  auto const expected = test::precondition(one, b);
  for (bool const even : {true, false}) {
    auto const A = shared(whole, even);
    auto M = make(A, of(3));
    auto const &report = M.report(), &wanted = one.report();
    ASSERT_EQ(report.levels.size(), wanted.levels.size());
    for (std::size_t l = 0; l < wanted.levels.size(); ++l) {
      EXPECT_EQ(report.levels[l].rows, wanted.levels[l].rows);
      EXPECT_EQ(report.levels[l].nonzeros, wanted.levels[l].nonzeros);
      EXPECT_EQ(report.levels[l].largest_aggregate, wanted.levels[l].largest_aggregate);
    }
    auto const rate = rates(M), of_one = rates(one);
    EXPECT_LE(oracle::largest_difference(rate, of_one), 1e-9);
    auto const begin = b.begin() + A.rows.begin();
    auto const x = A.rows.comm().all_gather(test::precondition(M, Vector(begin, begin + A.local.rows)));
    double largest = 0;
    for (double v : expected) largest = std::max(largest, std::abs(v));
    EXPECT_LE(oracle::largest_difference(x, expected), 1e-9 * largest);
  }
}

// By a power of two, so that no digit changes.
TEST(Bootstrap, ARefreshIsASetupWithTheSameVectorsBitwise) {
  auto scaled = rotated_anisotropy(20);
  auto const before = shared(scaled);
  for (auto& a : scaled.value) a *= 2;
  auto const after = shared(scaled);
  for (auto const preparation : {RefreshPreparation::second, RefreshPreparation::first}) {
    auto p = of(3);
    p.prepare_refresh = preparation;
    auto M = make<float>(before, p), fresh = make<float>(after, p), original = make<float>(before, p);
    Vector const b(before.local.rows, 1.0);
    for (int times = 0; times < 2; ++times) {
      M.refresh(after);
      test::expect_same_levels(M.report(), fresh.report());
      EXPECT_TRUE(oracle::same_bits(test::precondition(M, b), test::precondition(fresh, b)));
    }
    M.refresh(before);
    EXPECT_TRUE(oracle::same_bits(test::precondition(M, b), test::precondition(original, b)));
    EXPECT_EQ(rates(M), rates(original));
  }
}

TEST(Bootstrap, SolvesASingularSystem) {
  auto const A = shared(oracle::neumann_laplace(30, 20));
  auto M = make(A, of(2));
  auto const all = rates(M);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_LT(all[0], 0.6);
  EXPECT_LT(all[1], all[0]);
  Vector ramp, x;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) ramp.push_back(static_cast<double>(i % 30));
  EXPECT_LE(test::conjugate_gradients(A, M, test::times(A, ramp), x), 12);
}

/// Two copies of a matrix, as unknowns of each node.
sparse::Csr<double, Host> twice(sparse::Csr<double, Host> const& once) {
  auto const A = oracle::to_dense(once.view());
  oracle::Dense both(2 * A.rows, 2 * A.rows);
  for (Index i = 0; i < A.rows; ++i)
    for (Index j = 0; j < A.rows; ++j)
      for (int e = 0; e < 2; ++e) both(2 * i + e, 2 * j + e) = A(i, j);
  return oracle::to_csr(both);
}

TEST(Bootstrap, TakesNodesOfSeveralUnknowns) {
  auto const A = shared(twice(rotated_anisotropy(16)), true, 2);
  auto p = of(3);
  p.equations = 2;
  auto M = make(A, p);
  auto const all = rates(M);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_LT(all[2], all[0]);
  auto one = make(A, [&] {
    auto alone = p;
    alone.bootstrap.components = 1;
    return alone;
  }());
  Vector x;
  Vector const b(A.local.rows, 1.0);
  EXPECT_LT(test::conjugate_gradients(A, M, b, x), test::conjugate_gradients(A, one, b, x));
}

TEST(Bootstrap, FollowsAHierarchyOfRigidBodyModes) {
  auto const A = shared(twice(rotated_anisotropy(16)), true, 2);
  auto p = of(2);
  p.equations = 2;
  NearNullspace B;
  B.vectors = galerkin::rigid_body_mode_count(2);
  B.dimension = 2;
  for (auto node = A.rows.begin() / 2; node < A.rows.end() / 2; ++node)
    B.coordinates.insert(B.coordinates.end(), {double(node % 16), double(node / 16)});
  B.rigid_body = galerkin::rigid_body_frame(A.rows.comm(), B.coordinates, 2);
  auto M = make(A, p, B);
  EXPECT_EQ(rates(M).size(), 2u);
}

// Ranks without rows of the lower levels do not hear how many steps those take.
TEST(Bootstrap, IsMadeOfAnyCycle) {
  auto const A = shared(rotated_anisotropy(30));
  for (auto const cycle : {CycleType::V, CycleType::W, CycleType::F, CycleType::K}) {
    auto p = of(2);
    p.cycle = cycle;
    p.k_levels = 10;
    p.prolongator_damping = 0;
    auto M = make(A, p);
    EXPECT_LT(rates(M).back(), 0.99);
    EXPECT_LT(rates(M).back(), rates(M).front());
  }
}

TEST(Bootstrap, TakesTinyAndEmptySystems) {
  for (auto const& whole : {oracle::laplace(1), oracle::laplace(3), oracle::make_csr(0, 0, {0}, {}, {})}) {
    auto const A = shared(whole);
    auto M = make(A, of(3));
    EXPECT_EQ(rates(M).size(), 1u);  // solved exactly
    Vector x;
    EXPECT_LE(test::conjugate_gradients(A, M, Vector(A.local.rows, 1.0), x), 1);
  }
}

TEST(Bootstrap, ReportsAllOfItsComponents) {
  auto const A = shared(rotated_anisotropy(30));
  auto M = make(A, of(3)), one = make(A, of(1));
  auto const &report = M.report(), &alone = one.report();
  std::size_t levels = 0;
  for (auto const& component : report.components) {
    EXPECT_EQ(report.levels[levels].rows, 900);
    levels += component.levels;
  }
  EXPECT_EQ(report.levels.size(), levels);
  double nonzeros = 0;
  for (auto const& level : report.levels) nonzeros += static_cast<double>(level.nonzeros);
  EXPECT_DOUBLE_EQ(report.operator_complexity, nonzeros / static_cast<double>(report.levels[0].nonzeros));
  EXPECT_GT(report.cycle_bytes, 4 * alone.cycle_bytes);
  EXPECT_GT(report.phases.at("bootstrap"), 0);
  EXPECT_TRUE(M.warnings().empty());
}

}  // namespace
}  // namespace Tessera::multigrid
