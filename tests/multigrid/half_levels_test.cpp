// Hierarchies whose cycles have the matrices of all or of some levels in Half.
#include <gtest/gtest.h>

#include <tuple>

#include "multigrid/coarsenings.hpp"
#include "multigrid/facts.hpp"
#include "multigrid/systems.hpp"
#include "oracle/lapack.hpp"

namespace Tessera::multigrid {
namespace {

using test::small_coarsest;
using Vector = std::vector<double>;

Hierarchy<float, Host> make(comm::DistCsr<double, Host> const& A, Parameters p, HalfLevels half,
                            int from = -1) {
  p.half = half;
  p.half_from = from;
  return {Host{}, A, test::node_ids_on(Host{}, A.rows, p.equations), {}, p};
}

/// Matrices that Half cannot hold exactly, with jumps and anisotropies.
TEST(HalfLevels, CostAtMostOneIteration) {
  struct Problem {
    char const* name;
    sparse::Csr<double, Host> matrix;
    int equations = 1;
  };
  std::vector<Problem> problems;
  problems.push_back({"Laplace", oracle::anisotropic_laplace(60, 60, 1, 1.0 / 3, 0.3, 1)});
  problems.push_back({"Laplace3D", oracle::anisotropic_laplace(16, 15, 14, 1.0 / 3, 0.3, 0.35)});
  problems.push_back({"anisotropic", oracle::anisotropic_laplace(60, 60, 1, 1.0 / 3, 0.001, 1)});
  problems.push_back({"jumps", oracle::jumping_diffusion(50, 40, 4, 1e-6, 3)});
  problems.push_back({"Neumann", oracle::pinned_neumann_laplace(50, 40, 1e-3)});
  problems.push_back({"random", oracle::random_spd(2000, 8, 7)});
  problems.push_back({"beam", oracle::clamped_beam(120), 2});
  for (auto const& [name, matrix, equations] : problems) {
    auto const A = test::distribute(matrix, test::share(test::world(), matrix.rows, false, equations));
    auto const b = test::times(A, oracle::random_vector(A.local.rows, 3 + A.rows.begin()));
    for (auto const& way : test::ways_to_coarsen()) {
      auto p = small_coarsest();
      p.equations = equations;
      way.choose(p);
      if (p.equations != equations || (equations > 1 && p.coarsening == CoarseningType::classical)) continue;
      auto in_float = make(A, p, HalfLevels::none), in_half = make(A, p, HalfLevels::all);
      Vector x;
      int const iterations = test::conjugate_gradients(A, in_float, b, x);
      if (iterations < 100) {  // otherwise the way is not for such a problem
        EXPECT_LE(test::conjugate_gradients(A, in_half, b, x), iterations + 1) << name << ", " << way.name;
      }
      EXPECT_EQ(in_half.report().precision, "half");
      EXPECT_LT(in_half.report().levels.front().entry_bytes, in_float.report().levels.front().entry_bytes);
    }
  }
}

/// Fourth differences: 20, -8, 2 and 1.
sparse::Csr<double, Host> plate(Index n) {
  auto const laplace = oracle::to_dense(oracle::laplace(n, n).view());
  return oracle::to_csr(oracle::product(laplace, laplace));
}

/// The levels whose matrices are in half.
std::vector<bool> levels_in_half(HierarchyReport const& report) {
  std::vector<bool> found;
  for (auto const& level : report.levels) found.push_back(level.precision == "half");
  return found;
}

// With the positive couplings of a row at share times the negative ones.
TEST(HalfLevels, CouplingsAreMostlyNegativeUpToAQuarterInNineOfTenRows) {
  constexpr Index n = 200;
  for (auto const& [share, rows, expected] :
       {std::tuple(0.0, n, true), {0.25, n, true}, {0.26, n, false}, {1.0, 20, true}, {1.0, 21, false}}) {
    oracle::Dense A(n, n);
    for (Index i = 0; i < n; ++i) {
      A(i, i) = -5;  // not a coupling
      A(i, (i + 1) % n) = A(i, (i + 2) % n) = -0.3;
      if (i >= n - rows) A(i, (i + 5) % n) = share * 0.6;
    }
    auto const D = test::distribute(oracle::to_csr(A), test::share(test::world(), n, false));
    EXPECT_EQ(mostly_negative_couplings(Host{}, D), expected) << share << ", " << rows;
  }
}

TEST(HalfLevels, AreTakenAutomaticallyWhereTheyKeepTheirEnergy) {
  struct Problem {
    char const* name;
    sparse::Csr<double, Host> matrix;
    bool half;
    int equations = 1;
  };
  std::vector<Problem> problems;
  problems.push_back({"Laplace", oracle::anisotropic_laplace(60, 60, 1, 1.0 / 3, 0.3, 1), true});
  problems.push_back({"jumps", oracle::jumping_diffusion(50, 40, 4, 1e-6, 3), true});
  problems.push_back({"plate", plate(30), false});
  problems.push_back({"beam", oracle::clamped_beam(120), false, 2});
  for (auto const& [name, matrix, half, equations] : problems) {
    auto A = test::distribute(matrix, test::share(test::world(), matrix.rows, false, equations));
    Vector const b = oracle::random_vector(A.local.rows, 3 + A.rows.begin());
    auto p = small_coarsest();
    p.equations = equations;
    auto const with = [&](HalfLevels which, int from = -1) { return make(A, p, which, from); };
    auto in_float = with(HalfLevels::none), in_half = with(HalfLevels::all);
    auto automatic = with(HalfLevels::automatic, 0);
    auto const levels = levels_in_half(automatic.report());
    EXPECT_EQ(levels, std::vector<bool>(levels.size(), half)) << name;
    EXPECT_EQ(automatic.report().precision, half ? "half" : "float") << name;
    EXPECT_EQ(test::precondition(automatic, b), test::precondition(half ? in_half : in_float, b)) << name;
    // Lower levels are smaller; on a host no level is large enough.
    auto const entries = static_cast<int>(matrix.nonzeros());
    auto only_finest = with(HalfLevels::automatic, entries), none = with(HalfLevels::automatic, entries + 1);
    std::vector<bool> expected(levels.size(), false);
    EXPECT_EQ(levels_in_half(none.report()), expected) << name;
    expected.front() = half;
    EXPECT_EQ(levels_in_half(only_finest.report()), expected) << name;
    auto by_default = with(HalfLevels::automatic);
    EXPECT_EQ(test::precondition(by_default, b), test::precondition(in_float, b)) << name;
    // A refresh keeps the choice.
    auto const before = test::precondition(only_finest, b);
    for (auto& a : A.local.value) a *= 4;
    only_finest.refresh(A);
    auto after = test::precondition(only_finest, b);
    for (auto& x : after) x *= 4;
    EXPECT_EQ(after, before) << name;
  }
}

// Other near-nullspaces than the constant do not keep their energy.
TEST(HalfLevels, AreNotTakenAutomaticallyForOtherNearNullspaces) {
  auto const matrix = oracle::laplace(40, 30);
  auto const A = test::distribute(matrix, test::share(test::world(), matrix.rows, false));
  auto p = small_coarsest();
  p.half = HalfLevels::automatic;
  p.half_from = 0;
  for (double const slope : {0.0, 1e-3}) {
    NearNullspace B;
    B.vectors = 1;
    for (GlobalIndex i = A.rows.begin(); i < A.rows.end(); ++i)
      B.values.push_back(1 + slope * static_cast<double>(i));
    Hierarchy<float, Host> M(Host{}, A, test::node_ids_on(Host{}, A.rows), B, p);
    EXPECT_EQ(levels_in_half(M.report()).front(), slope == 0);
  }
}

TEST(HalfLevels, MakeASymmetricPositivePreconditioner) {
  auto const A =
      test::distribute(oracle::jumping_diffusion(12, 9, 4, 1e-6, 3), test::share(test::world(), 108, false));
  for (auto smoother : {SmootherType::jacobi, SmootherType::chebyshev, SmootherType::fsai}) {
    auto p = small_coarsest(5);
    p.smoother.type = smoother;
    auto M = make(A, p, HalfLevels::all);
    auto const D = test::dense(A.rows, A.rows, [&](auto b, auto x) { M.apply(b, x); });
    auto const largest = oracle::symmetric_eigenvalues(D).back();
    EXPECT_LT(oracle::largest_difference(D, oracle::transposed(D)), 1e-5 * largest);
    EXPECT_GT(oracle::symmetric_eigenvalues(D).front(), 0);
  }
}

}  // namespace
}  // namespace Tessera::multigrid
