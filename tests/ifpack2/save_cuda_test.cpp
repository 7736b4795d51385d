// Setups that a host has saved on a GPU, and the other way round.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "comm/communicator.hpp"
#include "kinds.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

struct SaveOnCuda : testing::TestWithParam<Kind> {
  void SetUp() override { TESSERA_SKIP_WITHOUT_DEVICE(); }
  void TearDown() override {
    std::filesystem::remove(rank() == 0 ? file : file + "." + std::to_string(rank()));
  }
  static int rank() { return all().rank(); }
  static comm::Communicator const& all() {
    static comm::Communicator const comm(MPI_COMM_WORLD);
    return comm;
  }
  RCP<Ours> made(char const* backend, char const* precision) const {
    auto M = GetParam().make(A);
    auto list = GetParam().parameters;
    list.set("verbosity", "none");
    list.set("backend: type", backend);
    list.set("precision: hierarchy", precision);
    if (GetParam().name != "Tessera::Fsai")
      list.set("repartition: min rows per proc", 300);  // else that is the space's
    M->setParameters(list);
    return M;
  }

  RCP<CrsMatrix> A = laplacian(uniform_map(60 * 60), 60);
  std::string file =
      (std::filesystem::temp_directory_path() /
       ("tessera-save-cuda-" + std::to_string(all().max(rank() == 0 ? GlobalIndex{getpid()} : 0))))
          .string();
};

// Whoever loads it has bitwise what a setup there gives.
TEST_P(SaveOnCuda, EitherBackEndLoadsWhatTheOtherHasSaved) {
  for (auto const* precision : {"float", "double"}) {
    for (auto const* from : {"host", "cuda"}) {
      for (auto const* to : {"host", "cuda"}) {
        SCOPED_TRACE(std::string(from) + " to " + to + " in " + precision);
        auto const saved = made(from, precision), loaded = made(to, precision), native = made(to, precision);
        saved->compute();
        saved->save(file);
        native->compute();
        loaded->load(file);
        EXPECT_EQ(applied(*loaded), applied(*native));
        A->resumeFill();
        A->scale(1.25);
        A->fillComplete();
        for (int times = 0; times < 2; ++times) {
          loaded->compute();
          native->compute();
          EXPECT_NE(loaded->lastCompute().find("refresh"), std::string::npos) << loaded->lastCompute();
          EXPECT_EQ(applied(*loaded), applied(*native));
        }
      }
    }
  }
}

TESSERA_ALL_KINDS(SaveOnCuda);

}  // namespace
}  // namespace Tessera::test
