// Systems whose arrays lie in the memory of a GPU.
#include "belos/arrays_checks.hpp"
#include "core/memory.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

TEST(SolveArraysGpu, SolvesAsATpetraMatrixToTheBit) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = device_of_rank();
  for (auto const* precision : {"double", "float"}) {
    auto list = arrays_list("cuda", precision, "sa");
    list.set("backend: device", device.device);
    for (bool const wide : {false, true}) {
      arrays_solve_as_tpetra(device, laplacian(uniform_map(90000), 300), list, wide);
      arrays_solve_as_tpetra(device, laplacian(scattered_map(900), 30), list, wide);
    }
  }
}

TEST(SolveArraysGpu, ThePreconditionerAloneIsThatOfTpetra) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto list = arrays_list("cuda", "float", "sa");
  list.set("backend: device", device_of_rank().device);
  arrays_apply_as_tpetra(device_of_rank(), list);
}

TEST(SolveArraysGpu, RefreshedValuesGiveWhatASetupGives) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = device_of_rank();
  for (auto const* algorithm : {"sa", "matching", "fsai"}) arrays_refresh_as_setup(device, "cuda", algorithm);
}

TEST(SolveArraysGpu, AfterAFailedRefreshTheNextOneIsASetup) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto const* algorithm : {"sa", "matching", "fsai"})
    arrays_set_up_after_a_failed_refresh(device_of_rank(), "cuda", algorithm);
}

// The matrix alone has 60 MB on one rank.
TEST(SolveArraysGpu, LessThanAMegabyteCrossesTheBusAndNothingStays) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = device_of_rank();
  auto const A = laplacian(uniform_map(1000000), 1000);
  LentMatrix<Cuda> const lent(device, *A, false);
  auto const b = core::to_space(device, some_numbers(*A->getRowMap()));
  auto x = core::to_space(device, std::vector<double>(b.size(), 0.0));
  core::synchronize(device);
  std::size_t in_use = 0;
  for (int time = 0; time < 2; ++time) {
    auto list = arrays_list("cuda", "float", "sa");
    list.set("backend: device", device.device);
    auto const report = solve(lent.arrays, b.data(), x.data(), list);
    EXPECT_TRUE(report.converged) << report.reason;
    EXPECT_LT(report.bytesToDevice + report.bytesToHost, 1000000u * world()->getSize());
    if (time == 0) in_use = core::memory_use(device).in_use;
  }
  EXPECT_EQ(core::memory_use(device).in_use, in_use);
}

TEST(SolveArraysGpu, ArraysOfTheHostAreRefused) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const A = laplacian(uniform_map(900), 30);
  LentMatrix<Host> const lent(Host{}, *A, false);
  auto const b = some_numbers(*A->getRowMap());
  std::vector<double> x(b.size());
  auto list = arrays_list("cuda", "double", "sa");
  EXPECT_THROW(solve(lent.arrays, b.data(), x.data(), list), core::InvalidInput);
}

// As an empty view of Kokkos does. The last rank has no rows.
TEST(SolveArraysGpu, RanksWithoutRowsMayPointToHostMemory) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  if (world()->getSize() == 1) GTEST_SKIP() << "needs a rank without rows";
  auto const device = device_of_rank();
  LentMatrix<Cuda> lent(device, *laplacian(scattered_map(900), 30), false);
  auto const b = core::to_space(device, some_numbers(*lent.arrays.rowMap));
  auto x = core::to_space(device, std::vector<double>(b.size(), 0.0));
  core::synchronize(device);
  double host = 0;
  bool const empty = b.size() == 0;
  if (empty) lent.arrays.values = &host;
  for (auto const* backend : {"cuda", "auto"}) {
    auto list = arrays_list(backend, "double", "sa");
    list.set("backend: device", device.device);
    EXPECT_TRUE(solve(lent.arrays, empty ? &host : b.data(), empty ? &host : x.data(), list).converged);
    EXPECT_EQ(host, 0);
  }
}

TEST(SolveArraysGpu, ArraysOfAGpuAreRefusedOnTheHost) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = device_of_rank();
  auto const A = laplacian(uniform_map(900), 30);
  LentMatrix<Cuda> const lent(device, *A, false);
  auto const b = core::to_space(device, some_numbers(*A->getRowMap()));
  auto x = core::to_space(device, std::vector<double>(b.size(), 0.0));
  auto list = arrays_list("host", "double", "sa");
  EXPECT_THROW(solve(lent.arrays, b.data(), x.data(), list), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera::test
