#include <gtest/gtest.h>

#include "core/array.hpp"
#include "core/parallel.hpp"
#include "half_cases.hpp"
#include "support/device.hpp"

namespace Tessera {
namespace {

struct ToFloat {
  Half const* from;
  float* to;
  TESSERA_HD void operator()(Index i) const { to[i] = static_cast<float>(from[i]); }
};
struct ToHalf {
  double const* from;
  Half* to;
  TESSERA_HD void operator()(Index i) const { to[i] = Half(from[i]); }
};

TEST(HalfOnTheGpu, ConvertsAsTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  std::vector<Half> halves;
  for (unsigned bits = 0; bits < 65536; ++bits) halves.push_back(test::half_of(bits));
  auto const there = core::to_space(device, halves);
  Array<float, Cuda> floats(device, halves.size());
  core::for_each(device, halves.size(), ToFloat{there.data(), floats.data()});
  auto const found = core::to_vector(device, floats.view());
  for (std::size_t k = 0; k < halves.size(); ++k) {
    auto const expected = static_cast<float>(halves[k]);
    if (expected == expected) {
      EXPECT_EQ(found[k], expected) << k;
    } else {
      EXPECT_NE(found[k], found[k]) << k;
    }
  }
  auto const numbers = test::numbers_to_round();
  auto const numbers_there = core::to_space(device, numbers);
  Array<Half, Cuda> rounded(device, numbers.size());
  core::for_each(device, numbers.size(), ToHalf{numbers_there.data(), rounded.data()});
  auto const bits = core::to_vector(device, rounded.view());
  for (std::size_t k = 0; k < numbers.size(); ++k)
    EXPECT_EQ(bits[k].bits, Half(numbers[k]).bits) << numbers[k];
}

}  // namespace
}  // namespace Tessera
