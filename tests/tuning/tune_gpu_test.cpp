#include <gtest/gtest.h>

#include "Tessera_Solve.hpp"
#include "Tessera_Tune.hpp"
#include "gallery/problem.hpp"
#include "ifpack2/problems.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

TEST(TuneOnGpu, EachListIsTriedOnEachBackEnd) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const A = gallery::make_problem("Laplace2D", {{"nx", 60}, {"ny", 60}}, world()).matrix;
  TuneOptions options;
  options.seconds = 10;
  options.backends = {"host", "cuda"};
  auto const report = tune(A, options);
  for (std::size_t i = 0; i < 2 * report.order.size(); ++i) {
    auto const& trial = report.trials[i];
    EXPECT_EQ(trial.name, report.order[i / 2] + ", backend: type = " + options.backends[i % 2]);
    EXPECT_NE(trial.status, TuneStatus::failed) << trial.name << ": " << trial.reason;
    EXPECT_TRUE(!trial.converged() || trial.bytes > 0) << trial.name;
  }
  MultiVector b(A->getRowMap(), 1), x(A->getDomainMap(), 1);
  b.putScalar(1.0);
  EXPECT_TRUE(solve(A, b, x, *report.list).converged);
}

}  // namespace
}  // namespace Tessera::test
