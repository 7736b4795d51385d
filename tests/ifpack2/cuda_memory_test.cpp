// A GPU that is full: what is said, and that the program goes on.
#include <gtest/gtest.h>

#include "Tessera_SmoothedAggregation.hpp"
#include "core/array.hpp"
#include "core/error.hpp"
#include "multigrid/reported_levels.hpp"
#include "problems.hpp"
#include "support/device.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 1400;  // the matrix takes 133 MB
constexpr std::size_t megabyte = std::size_t{1} << 20;

/// All memory of the device but a rest, and but up to 32 MB that the driver has for kernels.
std::vector<Array<char, Cuda>> all_but(std::size_t rest) {
  auto const space = core::make_cuda();
  std::vector<Array<char, Cuda>> taken;
  Array<char, Cuda> kept(space, rest);
  for (std::size_t size = std::size_t{1} << 38; size >= 32 * megabyte;) {
    try {
      taken.emplace_back(space, size);
    } catch (core::OutOfMemory const&) {
      size /= 2;
    }
  }
  return taken;
}

Teuchos::ParameterList parameters(char const* backend) {
  Teuchos::ParameterList list("Tessera");
  list.set("backend: type", backend);
  list.set("verbosity", "none");
  return list;
}

/// The error text of compute(); empty if it succeeds.
std::string refusal(SmoothedAggregation<>& M) {
  try {
    M.compute();
  } catch (core::OutOfMemory const& error) {
    EXPECT_GT(error.bytes(), 0u);
    EXPECT_GE(error.peak(), error.in_use());
    return error.what();
  }
  return {};
}

struct OutOfMemoryOnTheDevice : testing::Test {
  void SetUp() override {
    TESSERA_SKIP_WITHOUT_DEVICE();
    if (world()->getSize() > 1) GTEST_SKIP() << "one rank fills the device";
    SmoothedAggregation<> first(laplacian(uniform_map(10000), 100));  // kernels are loaded at their first use
    first.setParameters(parameters("cuda"));
    first.compute();
  }
};

TEST_F(OutOfMemoryOnTheDevice, NamesLevelBytesAndPeakAndTheProgramGoesOn) {
  auto const A = laplacian(uniform_map(side * side), side);
  SmoothedAggregation<> M(A);
  M.setParameters(parameters("cuda"));
  {
    auto const taken = all_but(32 * megabyte);  // less than the matrix needs
    auto const text = refusal(M);
    // Tpetra's matrix on a node of Kokkos::Cuda is read in place.
    std::string const where = tpetra::vectors_on_device ? "setup" : "upload of the matrix";
    EXPECT_NE(text.find(where + ", level 0: out of cuda memory: "), std::string::npos) << text;
    EXPECT_NE(text.find(" bytes were asked for"), std::string::npos) << text;
    EXPECT_NE(text.find(" at the peak"), std::string::npos) << text;
    EXPECT_NE(text.find("host"), std::string::npos) << text;
    EXPECT_FALSE(M.isComputed());

    SmoothedAggregation<> smaller(laplacian(uniform_map(400), 20));
    smaller.setParameters(parameters("cuda"));
    EXPECT_EQ(refusal(smaller), "");
    M.setParameters(parameters("host"));
    EXPECT_EQ(refusal(M), "");
  }
  M.setParameters(parameters("cuda"));
  EXPECT_EQ(refusal(M), "");
  EXPECT_EQ(M.hierarchyReport()->backend, "cuda");
}

TEST_F(OutOfMemoryOnTheDevice, NamesTheLevelOfTheSetup) {
  auto const A = laplacian(uniform_map(side * side), side);
  SmoothedAggregation<> M(A);
  M.setParameters(parameters("cuda"));
  auto const before = core::memory_use(Cuda{}).in_use;
  {
    auto const taken = all_but(160 * megabyte);  // the matrix fits, its hierarchy does not
    auto const text = refusal(M);
    EXPECT_NE(text.find("setup, level "), std::string::npos) << text;
  }
  EXPECT_EQ(core::memory_use(Cuda{}).in_use, before) << "the half-made hierarchy is gone";
  EXPECT_EQ(refusal(M), "");
}

}  // namespace
}  // namespace Tessera::test
