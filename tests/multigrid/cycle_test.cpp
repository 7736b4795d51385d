// The order of a cycle's passes, and how many there are.
#include "multigrid/levels/cycle_body.hpp"

#include <gtest/gtest.h>

#include "multigrid/levels.hpp"
#include "oracle/generators.hpp"

namespace Tessera::multigrid {
namespace {

/// Passes of one cycle as text: S(mooth), R(estrict), C(orrect), D(ense solve), 0 (start from zero), and of a
/// K-cycle 1 (the first step), [...] (the second), m(easured), + (both taken); residuals are left out.
struct Passes {
  std::string text;
  void operator()(Smooth<double, Host> const&) { text += 'S'; }
  void operator()(ZeroInitialGuess<double, Host> const&) { text += '0'; }
  void operator()(Residual<double, Host> const&) {}
  void operator()(Restrict<double, Host> const&) { text += 'R'; }
  void operator()(Correct<double, Host> const&) { text += 'C'; }
  void operator()(SolveDensely<double, Host> const&) { text += 'D'; }
  void operator()(FirstStep<double, Host> const&) { text += '1'; }
  void operator()(MeasureSecondStep<double, Host> const&) { text += 'm'; }
  void operator()(ApplySteps<double, Host> const&) { text += '+'; }
  void operator()(SecondStep<double, Host> const& step) {
    text += '[';
    step.passes([&](auto const& pass) { (*this)(pass); });
    text += ']';
  }
};

/// What a cycle does on `count` levels of a Laplacian on 24 x 24 points.
std::string passes(Parameters parameters, std::size_t count = 3) {
  parameters.coarse_max_size = count == 3 ? 20 : 2;
  test::InsideLevels const inside(oracle::laplace(24, 24), parameters);
  EXPECT_EQ(inside.levels.level.size(), count);
  Passes passes;
  cycle<double>(inside.levels, [&](auto const& pass) { passes(pass); });
  return passes.text;
}

TEST(Cycle, AVCycleVisitsEachLevelOnce) {
  Parameters p;
  EXPECT_EQ(passes(p), "SRSRDCSCS");
  p.smoother.pre_or_post = PreOrPost::pre;
  EXPECT_EQ(passes(p), "SRSRDCC");
  p.smoother.pre_or_post = PreOrPost::post;
  EXPECT_EQ(passes(p), "0R0RDCSCS");
}

TEST(Cycle, AWCycleVisitsCoarseLevelsTwiceButSolvesDenselyOnceEachTime) {
  Parameters p;
  p.cycle = CycleType::W;
  EXPECT_EQ(passes(p), "SRSRDCSSRDCSCS");
  p.coarse = CoarseType::smoother;
  p.coarse_sweeps = 2;
  EXPECT_EQ(passes(p), "SRSRSSSSCSSRSSSSCSCS");
}

TEST(Cycle, AnFCycleVisitsCoarseLevelsOnceMoreByAVCycle) {
  Parameters p;
  p.cycle = CycleType::F;
  EXPECT_EQ(passes(p), "SRSRDCSSRDCSCS");
  EXPECT_EQ(passes(p, 4), "SRSRSRDCSSRDCSCSSRSRDCSCSCS");
}

TEST(Cycle, SeveralApplicationsAreCyclesOneAfterTheOther) {
  Parameters p;
  p.applications = 2;
  EXPECT_EQ(passes(p), "SRSRDCSCSSRSRDCSCS");
  p.smoother.pre_or_post = PreOrPost::post;
  EXPECT_EQ(passes(p), "0R0RDCSCSR0RDCSCS");
  p.coarse_max_size = 1000;
  test::InsideLevels const one(oracle::laplace(24, 24), p);
  Passes alone;
  cycle<double>(one.levels, [&](auto const& pass) { alone(pass); });
  EXPECT_EQ(alone.text, "D");
}

TEST(Cycle, AKCycleTakesStepsOnLevelsThatAreNotSolvedExactly) {
  Parameters p;
  p.cycle = CycleType::K;
  EXPECT_EQ(passes(p), "SRSRDCS1[SRDCSm]+CS");
  EXPECT_EQ(passes(p, 4), "SRSRSRDCS1[SRDCSm]+CS1[SRSRDCS1[SRDCSm]+CSm]+CS");
  p.k_levels = 1;
  EXPECT_EQ(passes(p, 4), "SRSRSRDCSCS1[SRSRDCSCSm]+CS");
  p.coarse = CoarseType::smoother;
  p.coarse_sweeps = 2;
  p.k_levels = 2;
  EXPECT_EQ(passes(p), "SRSRSS1[SSm]+CS1[SRSS1[SSm]+CSm]+CS");
}

}  // namespace
}  // namespace Tessera::multigrid
