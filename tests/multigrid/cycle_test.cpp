// The order of a cycle's passes, and how many there are.
#include "multigrid/cycle_body.hpp"

#include <gtest/gtest.h>

#include "multigrid/setup_body.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"

namespace Tessera::multigrid {
namespace {

/// Passes of one cycle as text: S(mooth), R(estrict), C(orrect), D(ense solve), 0 (start from zero);
/// residuals are left out.
struct Passes {
  std::string text;
  void operator()(Smooth<double, Host> const&) { text += 'S'; }
  void operator()(StartFromNothing<double, Host> const&) { text += '0'; }
  void operator()(Residual<double, Host> const&) {}
  void operator()(Restrict<double, Host> const&) { text += 'R'; }
  void operator()(Correct<double, Host> const&) { text += 'C'; }
  void operator()(SolveDensely<double, Host> const&) { text += 'D'; }
};

/// Three levels of a Laplacian on 24 x 24 points, and what a cycle does there.
struct ThreeLevels {
  comm::DistCsr<double, Host> A =
      test::distribute(oracle::laplace(24, 24), test::share(test::world(), 576, false));
  Levels<double, Host> levels;

  explicit ThreeLevels(Parameters parameters) {
    parameters.coarse_max_size = 20;
    LevelFacts<Host> finest;
    finest.A = &A;
    finest.ids = test::node_ids_on(Host{}, A.rows);
    finest.nullspace = core::to_space(Host{}, std::vector<double>(A.local.rows, 1.0));
    levels = setup<double>(Host{}, std::move(finest), parameters);
    EXPECT_EQ(levels.level.size(), 3u);
  }
  std::string passes() const {
    Passes passes;
    cycle(levels, [&](auto const& pass) { passes(pass); });
    return passes.text;
  }
};

TEST(Cycle, AVCycleVisitsEachLevelOnce) {
  Parameters p;
  EXPECT_EQ(ThreeLevels(p).passes(), "SRSRDCSCS");
  p.smoother.pre_or_post = PreOrPost::pre;
  EXPECT_EQ(ThreeLevels(p).passes(), "SRSRDCC");
  p.smoother.pre_or_post = PreOrPost::post;
  EXPECT_EQ(ThreeLevels(p).passes(), "0R0RDCSCS");
}

TEST(Cycle, AWCycleVisitsCoarseLevelsTwiceButSolvesDenselyOnceEachTime) {
  Parameters p;
  p.cycle = CycleType::W;
  EXPECT_EQ(ThreeLevels(p).passes(), "SRSRDCSSRDCSCS");
  p.coarse = CoarseType::smoother;
  p.coarse_sweeps = 2;
  EXPECT_EQ(ThreeLevels(p).passes(), "SRSRSSSSCSSRSSSSCSCS");
}

}  // namespace
}  // namespace Tessera::multigrid
