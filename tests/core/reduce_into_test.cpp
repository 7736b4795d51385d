#include "core/reduce_into.hpp"

#include <gtest/gtest.h>

#include "core/graph.hpp"
#include "core/hash.hpp"
#include "core/pinned.hpp"
#include "support/threads.hpp"

namespace Tessera::core {
namespace {

std::vector<std::size_t> const lengths{0, 1, 255, 256, 257, 2048, 2049, 65537, 4200001};

struct Noise {
  double operator()(Index i) const { return uniform(i, 1); }
};

TEST(ReduceInto, IsReduceBitwise) {
  ReduceScratch<Host> scratch(Host{}, lengths.back(), sizeof(double));
  for (auto const n : lengths) {
    for (int const threads : {1, 3}) {
      double result = -1;
      testing::with_threads(threads, [&] {
        reduce_into(Host{}, n, Noise{}, Plus{}, 0.0, StoreResult<double>{&result}, scratch);
      });
      EXPECT_EQ(result, sum(Host{}, n, Noise{})) << n;
    }
  }
}

/// A body that reads its scalar at the start of each block.
struct Scaled {
  double const* scale;
  double value = 0;
  Scaled loaded() const { return {scale, *scale}; }
  double operator()(Index) const { return value; }
};

TEST(ReduceInto, BodiesLoadTheirScalars) {
  ReduceScratch<Host> scratch(Host{}, 5000, sizeof(double));
  double scale = 0.5, result = 0;
  Scaled const body{&scale};
  scale = 2;
  reduce_into(Host{}, 5000, body, Plus{}, 0.0, StoreResult<double>{&result}, scratch);
  EXPECT_EQ(result, 10000);
}

struct WriteNoise {
  double* values;
  void operator()(Index i) const { values[i] = uniform(i, 1); }
  void range(Index begin, Index end) const {
    for (Index i = begin; i < end; ++i) (*this)(i);
  }
};

/// The mirrored element in its row of 256 lanes.
struct ReadOthers {
  double const* values;
  Index n;
  double operator()(Index i) const {
    Index const other = i / 256 * 256 + 255 - i % 256;
    return other < n ? values[other] : 0;
  }
};

TEST(ReduceInto, ABlockReadsTheResultsOfItsWorkBefore) {
  ReduceScratch<Host> scratch(Host{}, 10000, sizeof(double));
  std::vector<double> values(10000, 1e300);
  auto const n = static_cast<Index>(values.size());
  double result = 0;
  reduce_into(Host{}, values.size(), WriteNoise{values.data()}, ReadOthers{values.data(), n}, Plus{}, 0.0,
              StoreResult<double>{&result}, scratch);
  EXPECT_EQ(result, sum(Host{}, values.size(), ReadOthers{values.data(), n}));
}

TEST(Graph, OfTheHostRunsItsWorkAtEveryLaunch) {
  int runs = 0;
  Graph<Host> graph;
  EXPECT_TRUE(graph.empty());
  graph.capture(Host{}, [&] { ++runs; });
  EXPECT_EQ(runs, 0);
  graph.launch(Host{});
  graph.launch(Host{});
  EXPECT_EQ(runs, 2);
  graph.clear();
  EXPECT_TRUE(graph.empty());
}

TEST(Pinned, StartsFromZeroAndPublishes) {
  Pinned<std::int64_t, Host> counter((Host{}));
  EXPECT_EQ(*counter.get(), 0);
  EXPECT_THROW(wait_until(Host{}, counter.get(), 1), std::runtime_error);
  publish(counter.get(), 3);
  EXPECT_EQ(observe(counter.get()), 3);
  wait_until(Host{}, counter.get(), 3);
  auto const moved = std::move(counter);
  EXPECT_EQ(*moved.get(), 3);
}

}  // namespace
}  // namespace Tessera::core
