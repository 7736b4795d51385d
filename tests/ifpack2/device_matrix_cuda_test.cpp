// Matrices of a Tpetra whose node computes on the GPU: they are read where they are, with the results of
// matrices on the host.
#include <gtest/gtest.h>

#include <limits>

#include "Tessera_Factory.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "core/array.hpp"
#include "core/error.hpp"
#include "ifpack2/any_operator.hpp"
#include "problems.hpp"
#include "support/device.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 300;  // a matrix of 5.4 MB
constexpr std::size_t most_bytes = 1000000;

struct DeviceMatrix : testing::Test {
  void SetUp() override {
    TESSERA_SKIP_WITHOUT_DEVICE();
    if (!tpetra::vectors_on_device) GTEST_SKIP() << "this Trilinos has its matrices on the host";
  }
  static Teuchos::ParameterList parameters(char const* backend) {
    Teuchos::ParameterList list("Tessera");
    list.set("backend: type", backend);
    return list;
  }
  /// The number of ranks of coarse levels depends on the back end by default.
  static Teuchos::ParameterList on_all_ranks(char const* backend) {
    return parameters(backend).set("repartition: min rows per proc", 2000);
  }
  /// Bytes that work moves between host and device.
  template <class Work>
  static std::size_t moved(Work const& work) {
    auto const before = core::transferred_bytes();
    work();
    auto const bytes = core::transferred_bytes() - before;
    return bytes.to_device + bytes.to_host;
  }
  static std::vector<std::string> checksums(SmoothedAggregation<> const& M) {
    std::vector<std::string> all;
    for (auto const& level : M.hierarchyReport()->levels) all.push_back(level.checksum);
    return all;
  }
  /// Row i is coupled to i - step and i + step: all steps give equally many entries.
  RCP<CrsMatrix> ring(long long step) const {
    auto const n = static_cast<long long>(map->getGlobalNumElements());
    auto const R = rcp(new CrsMatrix(map, 3));
    for (int i = 0; map->isNodeLocalElement(i); ++i) {
      long long const row = map->getGlobalElement(i);
      long long const columns[] = {(row + n - step) % n, row, (row + step) % n};
      double const values[] = {-1, 2.5, -1};
      R->insertGlobalValues(row, 3, values, columns);
    }
    R->fillComplete();
    return R;
  }
  void scale(double factor) {
    A->resumeFill();
    A->scale(factor);
    A->fillComplete();
  }

  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
};

TEST_F(DeviceMatrix, SetupsAndRefreshesMoveNoMatrix) {
  SmoothedAggregation<> M(A), host(A);
  M.setParameters(on_all_ranks("cuda"));
  host.setParameters(on_all_ranks("host"));
  EXPECT_LT(moved([&] { M.compute(); }), most_bytes);
  host.compute();
  EXPECT_EQ(checksums(M), checksums(host));
  for (double const factor : {3.0, 0.7}) {
    scale(factor);
    EXPECT_LT(moved([&] { M.compute(); }), most_bytes);
    host.compute();
    EXPECT_NE(M.description().find("Last compute: \"refresh"), std::string::npos) << M.description();
    EXPECT_EQ(checksums(M), checksums(host));
  }
}

TEST_F(DeviceMatrix, ApplicationsMoveNothing) {
  for (auto const* name : {"SA-AMG", "FSAI"}) {
    auto const M = Factory::create<Tpetra::RowMatrix<>>(name, A);
    M->setParameters(parameters("cuda"));
    M->compute();
    auto const X = waves(map, 3);
    MultiVector Y(map, 3);
    { auto const there = X->getLocalViewDevice(::Tpetra::Access::ReadOnly); }
    EXPECT_EQ(moved([&] { M->apply(*X, Y); }), 0U) << name;
  }
}

TEST_F(DeviceMatrix, NearNullspacesAndCoordinatesAreReadInPlace) {
  auto const modes = waves(map, 3), points = waves(map, 2);
  auto const set_up = [&](SmoothedAggregation<>& M, char const* backend) {
    M.setParameters(on_all_ranks(backend));
    M.setNearNullspace(modes);
    M.setCoordinates(points);
    return moved([&] { M.compute(); });
  };
  SmoothedAggregation<> M(A), host(A), refused(A);
  EXPECT_LT(set_up(M, "cuda"), most_bytes);
  set_up(host, "host");
  EXPECT_EQ(checksums(M), checksums(host));
  {
    auto const values = modes->getLocalViewHost(::Tpetra::Access::ReadWrite);
    if (values.extent(0) > 0) values(0, 1) = std::numeric_limits<double>::quiet_NaN();
  }
  EXPECT_THROW(set_up(refused, "cuda"), core::InvalidInput);
}

TEST_F(DeviceMatrix, ANanIsNamedWhereNearNullspaceAndCoordinatesShareMemory) {
  auto const modes = waves(map, 3);
  if (map->isNodeGlobalElement(7)) modes->replaceGlobalValue(7, 2, std::numeric_limits<double>::quiet_NaN());
  SmoothedAggregation<> M(A);
  M.setParameters(on_all_ranks("cuda"));
  M.setNearNullspace(modes);
  M.setCoordinates(modes->subView(Teuchos::Range1D(0, 1)));
  try {
    M.compute();
    ADD_FAILURE() << "not refused";
  } catch (std::invalid_argument const& error) {
    EXPECT_NE(std::string(error.what()).find("row 7, column 2"), std::string::npos) << error.what();
  }
}

TEST_F(DeviceMatrix, AViewOnTheHostIsRefusedAndHarmsNothing) {
  SmoothedAggregation<> M(A);
  M.setParameters(parameters("cuda"));
  M.compute();
  auto const X = waves(map, 1);
  MultiVector Y(map, 1);
  {
    auto const alive = Y.getLocalViewHost(::Tpetra::Access::ReadWrite);
    EXPECT_THROW(M.apply(*X, Y), std::runtime_error);
  }
  M.apply(*X, Y);
  EXPECT_GT(Y.getVector(0)->norm2(), 0);
}

TEST_F(DeviceMatrix, AnotherPatternIsNoticed) {
  auto const other = ring(7);
  SmoothedAggregation<> M(ring(3)), fresh(other);
  for (auto* each : {&M, &fresh}) each->setParameters(parameters("cuda"));
  M.compute();
  M.setMatrix(other);
  M.compute();
  fresh.compute();
  EXPECT_EQ(checksums(M), checksums(fresh));
}

TEST_F(DeviceMatrix, AnotherBackEndReadsTheMatrixAgain) {
  SmoothedAggregation<> M(A);
  M.setParameters(on_all_ranks("cuda"));
  M.compute();
  auto const there = checksums(M);
  M.setParameters(on_all_ranks("host"));
  M.compute();
  EXPECT_EQ(M.hierarchyReport()->backend, "host");
  EXPECT_EQ(checksums(M), there);
  M.setParameters(on_all_ranks("cuda"));
  M.compute();
  EXPECT_EQ(M.hierarchyReport()->backend, "cuda");
}

TEST_F(DeviceMatrix, SavedSetupsAreThoseOfTheHost) {
  std::string const path = testing::TempDir() + "tessera_device_matrix";
  SmoothedAggregation<> M(A), host(A);
  M.setParameters(on_all_ranks("cuda"));
  host.setParameters(on_all_ranks("host"));
  M.compute();
  M.save(path);
  host.initialize();
  host.load(path);
  EXPECT_EQ(checksums(host), checksums(M));
}

TEST_F(DeviceMatrix, AnotherDeviceThanKokkosIsRefused) {
  SmoothedAggregation<> M(A);
  auto list = parameters("cuda");
  list.set("backend: device", 1);
  EXPECT_THROW(
      {
        M.setParameters(list);
        M.compute();
      },
      std::exception);
}

TEST_F(DeviceMatrix, AsymmetryIsFoundInASample) {
  auto const skewed = laplacian(map, side);
  skewed->resumeFill();
  for (int i = 0; i < static_cast<int>(map->getNodeNumElements()); ++i) {
    auto const row = map->getGlobalElement(i);
    if (row + 1 < side * side && (row + 1) % side != 0) {
      double const value = -0.5;
      long long const column = row + 1;
      skewed->replaceGlobalValues(row, 1, &value, &column);
    }
  }
  skewed->fillComplete();
  SmoothedAggregation<> M(skewed);
  M.setParameters(parameters("cuda"));
  testing::internal::CaptureStdout();
  EXPECT_LT(moved([&] { M.compute(); }), most_bytes);
  auto const text = testing::internal::GetCapturedStdout();
  bool const prints = map->getComm()->getRank() == 0;
  EXPECT_EQ(text.find("not symmetric") != std::string::npos, prints) << text;
}

}  // namespace
}  // namespace Tessera::test
