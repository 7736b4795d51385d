// Measurements with preconditioners on the GPU and Belos on the host.
#include <gtest/gtest.h>

#include <Teuchos_DefaultMpiComm.hpp>
#include <nlohmann/json.hpp>

#include "cli/measure.hpp"
#include "core/error.hpp"
#include "support/device.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::cli {
namespace {

Comm world() {
  return Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_WORLD));
}

Choice choice(std::string const& backend) {
  Choice one;
  one.file = backend + ".xml";
  one.preconditioner = "Tessera";
  one.parameters.set("backend: type", backend);
  one.parameters.set("verbosity", "none");
  return one;
}

LinearSystem laplace(char const* problem, double nx) {
  ProblemOptions options;
  options.name = problem;
  options.values = {{"nx", nx}, {"ny", nx}};
  if (std::string(problem).find("3D") != std::string::npos) options.values["nz"] = nx;
  return make_system(options, 1, world());
}

Measurement measured(LinearSystem const& system, std::string const& backend) {
  auto const list = choice(backend);
  Measurement measurement;
  measurement.list = list;
  auto const x = Teuchos::rcp(new baselines::MultiVector(system.data.matrix->getDomainMap(), 1));
  Progress progress(false, 1);
  repeat(measurement, list, system, x, {}, progress);
  return measurement;
}

struct ProgramOnCuda : testing::Test {
  void SetUp() override { TESSERA_SKIP_WITHOUT_DEVICE(); }
};

TEST_F(ProgramOnCuda, LevelsAndIterationsAreThoseOfTheHost) {
  struct {
    char const* name;
    double nx;
  } const problems[] = {{"Laplace2D", 120}, {"Laplace3D", 24}, {"Brick3D", 16}, {"Elasticity3D", 8}};
  for (auto const& problem : problems) {
    auto const system = laplace(problem.name, problem.nx);
    auto const host = measured(system, "host"), cuda = measured(system, "cuda");
    EXPECT_TRUE(cuda.converged()) << problem.name;
    EXPECT_NEAR(cuda.solved.iterations, host.solved.iterations, 1) << problem.name;
    auto ours = measurement_json(cuda)["levels"], theirs = measurement_json(host)["levels"];
    for (auto* levels : {&ours, &theirs}) {
      for (auto& level : *levels) level.erase("format");  // differs between back ends
    }
    EXPECT_EQ(ours, theirs) << problem.name;
  }
}

TEST_F(ProgramOnCuda, JsonHasTheDeviceAndItsCosts) {
  auto const system = laplace("Laplace2D", 60);
  auto const json = measurement_json(measured(system, "auto"));
  EXPECT_EQ(json["backend"], "cuda");
  EXPECT_EQ(json["device"], core::cuda_devices()[0].name);
  EXPECT_GT(json["transfer_seconds"], 0.0);
  EXPECT_GT(json["reading_seconds"], 0.0);
  if (!tpetra::vectors_on_device) {
    EXPECT_GT(json["transfer_bytes"]["to_device"], 8u * json["transfer_bytes"]["to_host"].get<std::size_t>());
  }
  EXPECT_GT(json["device_peak_bytes"], 0u);
  auto const host = measurement_json(measured(system, "host"));
  EXPECT_EQ(host["device"], "");
  EXPECT_EQ(host["transfer_seconds"], 0.0);
  EXPECT_EQ(host["reading_seconds"], 0.0);
  EXPECT_EQ(host["transfer_bytes"]["to_device"], 0u);
  EXPECT_EQ(host["transfer_bytes"]["to_host"], 0u);
  EXPECT_EQ(host["device_peak_bytes"], 0u);
}

}  // namespace
}  // namespace Tessera::cli
