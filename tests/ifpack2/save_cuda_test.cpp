// Setups that a host has saved on a GPU, and the other way round.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
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

/// Largest difference, beside the largest number.
double apart(std::vector<double> const& x, std::vector<double> const& y) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    difference = std::max(difference, std::abs(x[i] - y[i]));
    largest = std::max(largest, std::abs(y[i]));
  }
  return difference / largest;
}

// Whoever loads it has bitwise what was saved. Between back ends in double that is a setup there to rounding,
// since the coarsest level's inverse is that of who saved it; after a refresh it is bitwise so, but for a
// bootstrap, whose later components are made for errors that cycles leave.
TEST_P(SaveOnCuda, EitherBackEndLoadsWhatTheOtherHasSaved) {
  for (auto const* precision : {"float", "double"}) {
    for (auto const* from : {"host", "cuda"}) {
      for (auto const* to : {"host", "cuda"}) {
        SCOPED_TRACE(std::string(from) + " to " + to + " in " + precision);
        auto const saved = made(from, precision), loaded = made(to, precision), native = made(to, precision);
        bool const same = std::string(from) == to;
        bool const bootstrap = GetParam().parameters.isParameter("bootstrap: components");
        saved->compute();
        saved->save(file);
        native->compute();
        loaded->load(file);
        EXPECT_LE(apart(applied(*loaded), applied(*native)), same ? 0.0 : bootstrap ? 1e-9 : 1e-13);
        A->resumeFill();
        A->scale(1.25);
        A->fillComplete();
        for (int times = 0; times < 2; ++times) {
          loaded->compute();
          native->compute();
          EXPECT_NE(loaded->lastCompute().find("refresh"), std::string::npos) << loaded->lastCompute();
          EXPECT_LE(apart(applied(*loaded), applied(*native)), same || !bootstrap ? 0.0 : 1e-9);
        }
      }
    }
  }
}

TESSERA_ALL_KINDS(SaveOnCuda);

}  // namespace
}  // namespace Tessera::test
