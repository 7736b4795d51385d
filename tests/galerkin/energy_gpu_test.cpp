#include <gtest/gtest.h>

#include "energy.hpp"
#include "support/device.hpp"

namespace Tessera {
namespace {

using test::Energy;

TEST(EnergyMinimisation, IsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const& p : test::problems()) {
    for (auto const how : test::all_splits) {
      for (int const reach : {1, 2}) {
        galerkin::EnergyParameters const parameters{reach, 0.1, 4};
        bool const ones = p.equations == 1 && p.vectors == 1;
        Energy<Host> const there(Host{}, p, how, parameters, ones);
        Energy<Cuda> const here(device, p, how, parameters, ones);
        EXPECT_EQ(there.reached.foreign, here.reached.foreign);
        auto const a = there.prolongator(Host{}, 4);
        auto const b = here.prolongator(device, 4);
        EXPECT_EQ(core::to_vector(Host{}, a.local.offsets.view()),
                  core::to_vector(device, b.local.offsets.view()));
        EXPECT_EQ(core::to_vector(Host{}, a.local.column.view()),
                  core::to_vector(device, b.local.column.view()));
        EXPECT_EQ(core::to_vector(Host{}, a.local.value.view()),
                  core::to_vector(device, b.local.value.view()));
      }
    }
  }
}

}  // namespace
}  // namespace Tessera
