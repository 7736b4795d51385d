// One preconditioner, several threads of a program.
#include <thread>

#include "kinds.hpp"

namespace Tessera::test {
namespace {

struct Threads : testing::TestWithParam<Kind> {};

TEST_P(Threads, TakeTurnsToApply) {
  if (world()->getSize() > 1) GTEST_SKIP() << "messages of several threads would meet";
  constexpr int side = 60, threads = 4, times = 30;
  auto const map = uniform_map(side * side);
  auto const M = GetParam().make(laplacian(map, side));
  M->setParameters(GetParam().parameters);
  M->compute();
  std::vector<RCP<MultiVector>> X, Y;
  std::vector<std::vector<double>> expected;
  for (int t = 0; t < threads; ++t) {
    X.push_back(waves(map));
    X.back()->scale(t + 1);
    X.back()->replaceLocalValue(t, 0, 100.0);
    Y.push_back(rcp(new MultiVector(map, 1)));
    M->apply(*X[t], *Y[t]);
    expected.push_back(values(*Y[t]));
  }
  std::vector<int> wrong(threads, 0);
  std::vector<std::thread> pool;
  for (int t = 0; t < threads; ++t) {
    pool.emplace_back([&, t] {
      for (int k = 0; k < times; ++k) {
        M->apply(*X[t], *Y[t]);
        wrong[t] += values(*Y[t]) != expected[t] ? 1 : 0;
      }
    });
  }
  for (auto& one : pool) one.join();
  EXPECT_EQ(wrong, std::vector<int>(threads, 0));
  EXPECT_EQ(M->getNumApply(), threads * (times + 1));
}

TESSERA_ALL_KINDS(Threads);

}  // namespace
}  // namespace Tessera::test
