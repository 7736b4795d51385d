#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/array.hpp"
#include "core/counting_sort.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "support/device.hpp"

namespace Tessera::core {
namespace {

std::vector<std::size_t> const lengths{0,    1,    2,    31,    255,   256,   257,    2047,
                                       2048, 2049, 4097, 16384, 16385, 65537, 4200001};

struct Wild {
  TESSERA_HD double operator()(Index i) const {
    return uniform(i, 1) * ldexp(1.0, static_cast<int>(mix62(i, 2) % 40));
  }
};

struct Odd {
  TESSERA_HD bool operator()(Index i) const { return mix62(i, 3) % 3 == 0; }
};

struct Counts {
  Span<int> counts;
  TESSERA_HD void operator()(Index i) const { counts[i] = static_cast<int>(mix62(i, 4) % 7); }
};

struct Keys {
  Span<std::uint64_t> keys;
  Span<Index> values;
  TESSERA_HD void operator()(Index i) const {
    keys[i] = mix62(i, 5) % 1000;
    values[i] = i;
  }
};

template <class Space>
double wild_sum(Space const& space, std::size_t n) {
  return sum(space, n, Wild{});
}

template <class Space>
std::vector<Index> odd_ones(Space const& space, std::size_t n) {
  Array<Index, Space> chosen(space, n);
  auto const count = select(space, n, Odd{}, chosen.span());
  return to_vector(space, chosen.view().part(0, count));
}

template <class Space>
std::vector<Offset> scanned(Space const& space, std::size_t n) {
  Array<int, Space> counts(space, n);
  for_each(space, n, Counts{counts.span()});
  Array<Offset, Space> offsets(space, n + 1);
  auto const total = exclusive_scan(space, counts.span(), offsets.span());
  auto result = to_vector(space, offsets.view());
  EXPECT_EQ(total, result.back());
  return result;
}

template <class Space>
std::vector<Index> sorted(Space const& space, std::size_t n) {
  Array<std::uint64_t, Space> keys(space, n);
  Array<Index, Space> values(space, n);
  for_each(space, n, Keys{keys.span(), values.span()});
  sort_by_key(space, keys, values);
  return to_vector(space, values.view());
}

struct KeyOrNone {
  std::uint64_t keys;
  TESSERA_HD Index operator()(Index i) const { return static_cast<Index>(mix62(i, 6) % (keys + 1)) - 1; }
};

/// Keys of scattered pairs. Some numbers have no key, and some keys have no number.
struct KeyOfPair {
  std::uint64_t n;
  TESSERA_HD Index operator()(Index i) const {
    if (mix62(i, 7) % 5 == 0) return -1;
    return static_cast<Index>(static_cast<std::uint64_t>(i) * 7919 % n / 2);
  }
};

/// The offsets, then the list.
template <class Space, class KeyOf>
std::vector<Index> counted(Space const& space, std::size_t n, std::size_t keys, KeyOf const& key_of,
                           int max_per_key = unknown_max) {
  Array<Index, Space> offsets(space, keys + 1);
  auto const list = counting_sort(space, n, key_of, offsets.span(), max_per_key);
  auto all = to_vector(space, offsets.view());
  auto const listed = to_vector(space, list.view().part(0, all.back()));
  all.insert(all.end(), listed.begin(), listed.end());
  return all;
}

TEST(CudaPrimitives, HaveTheHostsResultsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  for (auto n : lengths) {
    SCOPED_TRACE(n);
    EXPECT_EQ(wild_sum(device, n), wild_sum(Host{}, n));
    EXPECT_EQ(odd_ones(device, n), odd_ones(Host{}, n));
    EXPECT_EQ(scanned(device, n), scanned(Host{}, n));
    EXPECT_EQ(sorted(device, n), sorted(Host{}, n));
    for (std::size_t const keys : {1, 2, 255, 256, 70000})
      EXPECT_EQ(counted(device, n, keys, KeyOrNone{keys}), counted(Host{}, n, keys, KeyOrNone{keys}));
    EXPECT_EQ(counted(device, n, n / 2 + 3, KeyOfPair{n}, 2), counted(Host{}, n, n / 2 + 3, KeyOfPair{n}, 2));
  }
}

TEST(CudaMemory, IsCountedAndAnImpossibleRequestThrows) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  auto const before = memory_use(device).in_use;
  {
    Array<double, Cuda> const some(device, 1000);
    EXPECT_EQ(memory_use(device).in_use, before + 8000);
    try {
      Array<double, Cuda> const too_many(device, std::size_t{1} << 44);
      ADD_FAILURE() << "128 TiB were granted";
    } catch (OutOfMemory const& error) {
      EXPECT_EQ(error.bytes(), std::size_t{1} << 47);
      EXPECT_GE(error.peak(), before + 8000);
    }
  }
  EXPECT_EQ(memory_use(device).in_use, before);
  EXPECT_EQ(wild_sum(device, 5000), wild_sum(Host{}, 5000));  // the device still works
}

TEST(CudaDevice, IsRefusedByNumber) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  EXPECT_THROW(make_cuda(-1), InvalidInput);
  EXPECT_THROW(make_cuda(1000), InvalidInput);
  EXPECT_EQ(make_cuda(0).stream, make_cuda(0).stream);
}

}  // namespace
}  // namespace Tessera::core
