#include "sparse/columns.hpp"

#include "oracle/generators.hpp"
#include "support/device.hpp"

namespace Tessera::sparse {
namespace {

TEST(CudaColumns, ExtremesAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  for (std::size_t const rows : {0, 1, 33, 300000}) {
    auto const a = oracle::random_vector(rows, 1), b = oracle::random_vector(rows, 2);
    auto const a_there = core::to_space(device, a), b_there = core::to_space(device, b);
    double const* const here[] = {b.data(), a.data()};
    double const* const there[] = {b_there.data(), a_there.data()};
    EXPECT_EQ(extremes(device, rows, {there, 2}), extremes(Host{}, rows, {here, 2})) << rows << " rows";
  }
}

}  // namespace
}  // namespace Tessera::sparse
