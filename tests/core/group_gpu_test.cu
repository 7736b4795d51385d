#include <gtest/gtest.h>

#include "group_bodies.hpp"
#include "support/device.hpp"

namespace Tessera::core {
namespace {

std::vector<double> found_by_host(std::vector<Offset> const& lists) {
  return found_by_groups(Host{}, lists, [](std::size_t n, std::size_t work, auto const& body) {
    for_each_group(Host{}, n, work, body);
  });
}

template <int Lanes, int Threads>
std::vector<double> found_by_lanes(Cuda const& device, std::vector<Offset> const& lists) {
  return found_by_groups(device, lists, [&](std::size_t n, std::size_t, auto const& body) {
    for_each_group(device, n, GroupShape<Lanes, Threads>{}, body);
  });
}

TEST(CudaGroups, OfEverySizeHaveTheHostsResults) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  for (Offset const longest : {0, 3, 100}) {
    SCOPED_TRACE(longest);
    auto const lists = lists_up_to(longest);
    auto const expected = found_by_host(lists);
    EXPECT_EQ((found_by_lanes<1, 64>(device, lists)), expected);
    EXPECT_EQ((found_by_lanes<2, 256>(device, lists)), expected);
    EXPECT_EQ((found_by_lanes<4, 128>(device, lists)), expected);
    EXPECT_EQ((found_by_lanes<8, 256>(device, lists)), expected);
    EXPECT_EQ((found_by_lanes<16, 512>(device, lists)), expected);
    EXPECT_EQ((found_by_lanes<32, 128>(device, lists)), expected);
  }
}

struct LanesBody {
  Span<int> lanes;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    if (group.lane == 0) lanes[i] = Group::size;
  }
};

int lanes_for(Cuda const& device, std::size_t n, std::size_t work) {
  Array<int, Cuda> lanes(device, n);
  fill(device, lanes.span(), 0);
  for_each_group(device, n, work, LanesBody{lanes.span()});
  auto const all = to_vector(device, lanes.view());
  EXPECT_EQ(std::vector<int>(n, all.front()), all);
  return all.front();
}

TEST(CudaGroups, GrowWithTheAverageWork) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = make_cuda();
  EXPECT_EQ(lanes_for(device, 1000, 0), 4);
  EXPECT_EQ(lanes_for(device, 1000, 5000), 4);
  EXPECT_EQ(lanes_for(device, 1000, 5001), 8);
  EXPECT_EQ(lanes_for(device, 1000, 20000), 16);
  EXPECT_EQ(lanes_for(device, 1000, 1000000), 32);
}

}  // namespace
}  // namespace Tessera::core
