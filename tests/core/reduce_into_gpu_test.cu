#include <gtest/gtest.h>

#include "core/graph.hpp"
#include "core/hash.hpp"
#include "core/pinned.hpp"
#include "core/reduce_into.hpp"
#include "support/device.hpp"

namespace Tessera::core {
namespace {

std::vector<std::size_t> const lengths{0, 1, 31, 255, 256, 257, 2047, 2048, 2049, 65537, 4200001, 20000000};

struct Three {
  double a = 0, b = 0, c = 0;
  TESSERA_HD Three operator+(Three const& other) const { return {a + other.a, b + other.b, c + other.c}; }
  bool operator==(Three const& other) const { return a == other.a && b == other.b && c == other.c; }
};

struct Noise {
  TESSERA_HD double operator()(Index i) const { return uniform(i, 1); }
};

struct ThreeNoises {
  TESSERA_HD Three operator()(Index i) const { return {uniform(i, 1), uniform(i, 2), uniform(i, 3)}; }
};

template <class T, class Space, class Body>
T reduced(Space const& space, std::size_t n, Body const& body) {
  ReduceScratch<Space> scratch(space, n, sizeof(T));
  Array<T, Space> result(space, 2);
  for (int k : {0, 1}) {  // a second time, because the counter of blocks must be zero again
    reduce_into(space, n, body, Plus{}, T{}, StoreResult<T>{result.data() + k}, scratch);
  }
  auto const both = to_vector(space, result.view());
  EXPECT_TRUE(both[0] == both[1]);
  return both[1];
}

TEST(CudaReduceInto, IsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  for (auto const n : lengths) {
    EXPECT_EQ(reduced<double>(device, n, Noise{}), reduced<double>(Host{}, n, Noise{})) << n;
    EXPECT_TRUE(reduced<Three>(device, n, ThreeNoises{}) == reduced<Three>(Host{}, n, ThreeNoises{})) << n;
  }
}

/// Each column has its own noise.
struct NoiseOf {
  int c;
  TESSERA_HD double operator()(Index i) const { return uniform(i, c); }
};
template <int columns>
struct NoisyRows {
  static constexpr int k = columns;
  TESSERA_HD NoiseOf column(int c) const { return {c}; }
};
struct StoreColumn {
  double* sums;
  struct Store {
    double* sum;
    TESSERA_HD void operator()(double total) const { *sum = total; }
  };
  TESSERA_HD Store column(int c) const { return {sums + c}; }
};

TEST(CudaReduceColumns, HaveTheResultOfReduceIntoInEachColumn) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  for (auto const n : lengths) {
    if (n > 5000000) continue;
    ReduceScratch<Cuda> scratch(device, n, 8 * sizeof(double));
    Array<double, Cuda> sums(device, 8);
    for (int again : {0, 1}) {  // the counter of blocks must be zero again
      reduce_columns_into(device, n, NoisyRows<8>{}, StoreColumn{sums.data()}, scratch);
      auto const found = to_vector(device, sums.view());
      for (int c = 0; c < 8; ++c)
        EXPECT_EQ(found[c], reduced<double>(Host{}, n, NoiseOf{c})) << n << ", " << again;
      reduce_columns_into(device, n, NoisyRows<4>{}, StoreColumn{sums.data()}, scratch);
      for (int c = 0; c < 4; ++c) EXPECT_EQ(to_vector(device, sums.view())[c], found[c]) << n;
    }
  }
}

struct WriteNoise {
  double* values;
  TESSERA_HD void operator()(Index i) const { values[i] = uniform(i, 1); }
  void range(Index begin, Index end) const {
    for (Index i = begin; i < end; ++i) (*this)(i);
  }
};

struct ReadOthers {
  double const* values;
  Index n;
  TESSERA_HD double operator()(Index i) const {
    Index const other = i / 256 * 256 + 255 - i % 256;
    return other < n ? values[other] : 0;
  }
};

template <class Space>
double before_and_sum(Space const& space, Index n) {
  ReduceScratch<Space> scratch(space, n, sizeof(double));
  Array<double, Space> values(space, n), result(space, 1);
  fill(space, values.span(), 1e300);
  reduce_into(space, n, WriteNoise{values.data()}, ReadOthers{values.data(), n}, Plus{}, 0.0,
              StoreResult<double>{result.data()}, scratch);
  return to_vector(space, result.view())[0];
}

TEST(CudaReduceInto, ABlockReadsTheResultsOfItsWorkBefore) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  for (Index const n : {1, 300, 2048, 5000, 300000}) {
    EXPECT_EQ(before_and_sum(device, n), before_and_sum(Host{}, n));
  }
}

struct AddTo {
  double* sum;
  double value;
  TESSERA_HD void operator()(Index) const { *sum += value; }
};

struct Publish {
  std::int64_t* counter;
  std::int64_t value;
  TESSERA_HD void operator()(Index) const { publish(counter, value); }
};

TEST(CudaGraph, RecordsReplaysAndNests) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  ASSERT_TRUE(can_capture(device));
  Array<double, Cuda> number(device, 1);
  fill(device, number.span(), 0.0);
  auto const now = [&] { return to_vector(device, number.view())[0]; };
  Graph<Cuda> inner, outer;
  inner.capture(device, [&] {
    EXPECT_TRUE(is_capturing(device));
    for_each(device, 1, AddTo{number.data(), 1.0});
  });
  EXPECT_FALSE(is_capturing(device));
  EXPECT_EQ(now(), 0.0);
  inner.launch(device);
  inner.launch(device);
  EXPECT_EQ(now(), 2.0);
  outer.capture(device, [&] {
    for_each(device, 1, AddTo{number.data(), 10.0});
    inner.launch(device);
    for_each(device, 1, AddTo{number.data(), 100.0});
    inner.launch(device);
  });
  EXPECT_EQ(now(), 2.0);
  outer.launch(device);
  EXPECT_EQ(now(), 114.0);
  inner.clear();  // its nodes stay in the outer graph
  outer.launch(device);
  EXPECT_EQ(now(), 226.0);
  // The same nodes with other arguments, then other nodes.
  outer.capture(device, [&] { for_each(device, 1, AddTo{number.data(), 0.5}); });
  outer.launch(device);
  EXPECT_EQ(now(), 226.5);
  outer.capture(device, [&] { for_each(device, 1, AddTo{number.data(), 0.25}); });
  outer.launch(device);
  EXPECT_EQ(now(), 226.75);
}

TEST(CudaGraph, WorkThatCannotBeRecordedThrowsAndTheStreamStillWorks) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  Array<double, Cuda> number(device, 1);
  Graph<Cuda> graph;
  EXPECT_THROW(graph.capture(device, [&] { synchronize(device); }), std::runtime_error);
  EXPECT_TRUE(graph.empty());
  EXPECT_THROW(graph.capture(device, [&] { throw std::logic_error("of the caller"); }), std::logic_error);
  EXPECT_TRUE(graph.empty());
  EXPECT_THROW(graph.capture(device, [&] { number = Array<double, Cuda>(device, 2); }), std::logic_error);
  EXPECT_EQ(number.size(), 1U);
  EXPECT_FALSE(is_capturing(device));
  fill(device, number.span(), 3.0);
  EXPECT_EQ(to_vector(device, number.view())[0], 3.0);
}

TEST(CudaPinned, TheHostSeesWhatBodiesPublish) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  Pinned<std::int64_t, Cuda> counter(device);
  EXPECT_EQ(observe(counter.get()), 0);
  for_each(device, 1, Publish{counter.get(), 7});
  wait_until(device, counter.get(), 7);
  EXPECT_EQ(observe(counter.get()), 7);
  EXPECT_THROW(wait_until(device, counter.get(), 8), std::runtime_error);
}

}  // namespace
}  // namespace Tessera::core
