#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/group.hpp"
#include "core/hash.hpp"
#include "core/reduce_into.hpp"
#include "support/threads.hpp"

namespace Tessera::core {
namespace {

// Lengths near the limits of lanes, blocks, blocks of blocks and serial loops.
std::vector<std::size_t> const lengths{0,    1,    2,    255,  256,  257,   2047,  2048,
                                       2049, 4095, 4096, 4097, 9999, 65537, 600001};

template <class T>
Span<T> span(std::vector<T>& values) {
  return {values.data(), values.size()};
}

/// Numbers of very different size, so that each order of summation has a different sum.
struct Wild {
  double operator()(Index i) const { return uniform(i, 1) * std::exp2(40 * uniform(i, 2)); }
};

/// The tree of core/parallel.hpp, programmed from its description.
double tree_sum(std::vector<double> values) {
  do {
    std::vector<double> next;
    for (std::size_t b = 0; b == 0 || b < values.size(); b += 2048) {
      std::vector<double> lane(256, 0.0);
      for (std::size_t i = b; i < std::min(values.size(), b + 2048); ++i) lane[i % 256] += values[i];
      for (std::size_t half = 128; half > 0; half /= 2) {
        for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
      }
      next.push_back(lane[0]);
    }
    values = next;
  } while (values.size() > 1);
  return values[0];
}

TEST(ForEach, VisitsEveryElementOnce) {
  for (auto n : lengths) {
    for (int threads : {1, 2, 3}) {
      std::vector<int> visits(n, 0), heavy(n, 0);
      testing::with_threads(threads, [&] {
        for_each(Host{}, n, [&](Index i) { ++visits[i]; });
        for_each_heavy(Host{}, n, 100 * n, [&](Index i) { ++heavy[i]; });
      });
      EXPECT_EQ(visits, std::vector<int>(n, 1));
      EXPECT_EQ(heavy, std::vector<int>(n, 1));
    }
  }
}

/// Stores the number of threads of a loop.
struct CountThreads {
  static constexpr int loop_steps = 1;
  std::atomic<int>* threads;
  int operator()(Index) const { return *threads = omp_get_num_threads(); }
};
struct CountThreadsOfRows {
  std::atomic<int>* threads;
  void operator()(Index) const { *threads = omp_get_num_threads(); }
};

// On a busy machine, to wake threads takes longer than the work of these loops.
TEST(ForEach, LoopsOfLittleWorkRunOnOneThread) {
  std::atomic<int> threads{0};
  CountThreads const number{&threads};
  CountThreadsOfRows const row{&threads};
  auto const in_group = [=](auto const&, Index i) { row(i); };
  auto const threads_of = [&](auto const& loop) {
    threads = 0;
    testing::with_threads(2, loop);
    return threads.load();
  };
  Host const host;
  std::size_t const few = serial_steps - 1, many = serial_steps;
  for (auto const& [numbers, expected] : {std::pair{few, 1}, {many, 2}}) {
    std::size_t const rows = numbers / 8;
    EXPECT_EQ(threads_of([&] { for_each(host, numbers, number); }), expected);
    EXPECT_EQ(threads_of([&] { for_each(host, rows, row); }), expected);
    EXPECT_EQ(threads_of([&] { reduce(host, numbers, number, Max{}, 0); }), expected);
    EXPECT_EQ(threads_of([&] { for_each_heavy(host, 100, numbers, row); }), expected);
    EXPECT_EQ(threads_of([&] { for_each_group(host, 100, numbers, in_group); }), expected);
    ReduceScratch<Host> scratch(host, numbers, sizeof(int));
    EXPECT_EQ(threads_of([&] {
                reduce_into(
                    host, numbers, number, Max{}, 0, [](int) {}, scratch);
              }),
              expected);
  }
}

TEST(Fill, SetsEveryElement) {
  std::vector<float> values(5000, 1);
  fill(Host{}, span(values), 2.5);
  EXPECT_EQ(values, std::vector<float>(5000, 2.5f));
}

TEST(Sum, IsTheTreeOfTheDocumentationBitwiseForAnyThreads) {
  for (auto n : lengths) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = Wild{}(static_cast<Index>(i));
    auto const expected = tree_sum(values);
    for (int threads : {1, 2, 3, 4}) {
      EXPECT_EQ(testing::with_threads(threads, [&] { return sum(Host{}, n, Wild{}); }), expected)
          << n << " elements, " << threads << " threads";
    }
  }
}

TEST(Sum, OfIntegersIsExact) {
  for (std::int64_t n : {0, 1, 5000, 600001}) {
    EXPECT_EQ(sum(Host{}, n, [](Index i) { return std::int64_t{i}; }), n * (n - 1) / 2);
  }
}

TEST(Reduce, MaxFindsTheLargestWhereverItIs) {
  for (std::size_t n : {1, 300, 5000, 70000}) {
    for (std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
      auto const body = [=](Index i) { return static_cast<std::size_t>(i) == at ? 7 : i % 5; };
      EXPECT_EQ(reduce(Host{}, n, body, Max{}, -1), 7);
    }
  }
  EXPECT_EQ(reduce(
                Host{}, 0, [](Index i) { return i; }, Max{}, -1),
            -1);
}

TEST(ExclusiveScan, IsThePrefixSumForAnyThreads) {
  for (auto n : lengths) {
    std::vector<Index> counts(n);
    for (std::size_t i = 0; i < n; ++i) counts[i] = static_cast<Index>(mix64(i) % 7);
    std::vector<Offset> expected(n + 1, 0);
    std::partial_sum(counts.begin(), counts.end(), expected.begin() + 1,
                     [](Offset a, Offset b) { return a + b; });
    for (int threads : {1, 2, 3}) {
      std::vector<Offset> offsets(n + 1, -1);
      auto const total =
          testing::with_threads(threads, [&] { return exclusive_scan(Host{}, span(counts), span(offsets)); });
      EXPECT_EQ(offsets, expected) << n;
      EXPECT_EQ(total, expected.back());
    }
  }
}

TEST(ExclusiveScan, WorksInPlace) {
  for (int threads : {1, 2, 3}) {
    std::vector<Offset> values(10001, 2);
    auto const all = span(values);
    testing::with_threads(threads, [&] { return exclusive_scan(Host{}, all.part(0, 10000), all); });
    for (std::size_t i = 0; i <= 10000; ++i) ASSERT_EQ(values[i], static_cast<Offset>(2 * i));
  }
}

TEST(ExclusiveScan, OfSmallCountsPassesTwoToThe31) {
  std::vector<Index> counts(3, std::numeric_limits<Index>::max());
  std::vector<Offset> offsets(4);
  EXPECT_EQ(exclusive_scan(Host{}, span(counts), span(offsets)), 3 * Offset{2147483647});
}

TEST(Select, KeepsAscendingOrderForAnyThreads) {
  struct Chosen {
    bool operator()(Index i) const { return mix64(i) % 3 == 0; }
  };
  for (auto n : lengths) {
    std::vector<Index> expected;
    for (std::size_t i = 0; i < n; ++i) {
      if (Chosen{}(static_cast<Index>(i))) expected.push_back(static_cast<Index>(i));
    }
    for (int threads : {1, 2, 3}) {
      std::vector<Index> chosen(n, -1);
      auto const count =
          testing::with_threads(threads, [&] { return select(Host{}, n, Chosen{}, span(chosen)); });
      chosen.resize(count);
      EXPECT_EQ(chosen, expected) << n;
    }
  }
}

template <class Key, class Value>
void sort_vectors(std::vector<Key>& keys, std::vector<Value>& values) {
  auto key = to_space(Host{}, keys);
  auto value = to_space(Host{}, values);
  sort_by_key(Host{}, key, value);
  keys.assign(key.begin(), key.end());
  values.assign(value.begin(), value.end());
}

TEST(SortByKey, IsStableAndAscending) {
  for (auto n : lengths) {
    std::vector<Index> keys(n);
    std::vector<Offset> values(n);
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = static_cast<Index>(mix64(i) % 50) - 25;
      values[i] = static_cast<Offset>(i);
    }
    auto const original = keys;
    sort_vectors(keys, values);
    std::vector<bool> seen(n, false);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(keys[i], original[values[i]]);
      seen[values[i]] = true;
      if (i == 0) continue;
      ASSERT_LE(keys[i - 1], keys[i]);
      if (keys[i - 1] == keys[i]) {
        ASSERT_LT(values[i - 1], values[i]);
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(n));
  }
}

TEST(SortByKey, SortsKeysOfAllWidthsForAnyThreads) {
  auto const check = [](auto key_of) {
    for (std::size_t n : {100, 100003}) {
      for (int threads : {1, 2, 3}) {
        std::vector<decltype(key_of(0))> keys(n);
        for (std::size_t i = 0; i < n; ++i) keys[i] = key_of(i);
        std::vector<Index> values(n), expected(n);
        std::iota(values.begin(), values.end(), 0);
        expected = values;
        std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
        testing::with_threads(threads, [&] { sort_vectors(keys, values); });
        EXPECT_EQ(values, expected);
        EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end()));
      }
    }
  };
  check([](std::size_t i) { return mix64(i); });
  check([](std::size_t i) { return static_cast<std::int64_t>(mix64(i)); });
  check([](std::size_t i) { return static_cast<std::int32_t>(mix64(i)); });
  check([](std::size_t i) { return static_cast<unsigned char>(mix64(i)); });
  check([](std::size_t i) { return (mix64(i) % 1000 << 40) + (mix64(i + 1) % 300 << 3); });
  check([](std::size_t i) { return (mix64(i) & 1) << 63; });
  check([](std::size_t) { return std::int64_t{-5}; });
}

TEST(SortByKey, SortsUnsignedKeysWithTheirUpperHalf) {
  std::vector<std::uint64_t> keys{~0ull, 1ull << 63, 5, 1ull << 32, 0};
  std::vector<char> values{'e', 'd', 'b', 'c', 'a'};
  sort_vectors(keys, values);
  EXPECT_EQ(std::string(values.begin(), values.end()), "abcde");
}

}  // namespace
}  // namespace Tessera::core
