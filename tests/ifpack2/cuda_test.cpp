// Hierarchies on the GPU under a Tpetra on the host: everything that Ifpack2's users see is as on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "Tessera_SmoothedAggregation.hpp"
#include "comm/dist_csr.hpp"
#include "core/array.hpp"
#include "core/error.hpp"
#include "ifpack2/any_operator.hpp"
#include "problems.hpp"
#include "support/device.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 90;

Teuchos::ParameterList parameters(char const* backend, char const* precision = "float") {
  Teuchos::ParameterList list("Tessera");
  list.set("coarse: max size", 30);
  list.set("verbosity", "none");
  list.set("backend: type", backend);
  list.set("precision: hierarchy", precision);
  return list;
}

std::vector<std::string> checksums(SmoothedAggregation<> const& M) {
  std::vector<std::string> all;
  for (auto const& level : M.hierarchyReport()->levels) all.push_back(level.checksum);
  return all;
}

/// Largest difference over the largest value.
double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double apart = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart = std::max(apart, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return apart / size;
}

struct OnCuda : testing::Test {
  void SetUp() override { TESSERA_SKIP_WITHOUT_DEVICE(); }
  std::vector<double> applied(SmoothedAggregation<> const& M, int columns = 1) const {
    MultiVector Y(map, columns);
    M.apply(*waves(map, columns), Y);
    return values(Y);
  }

  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
};

TEST_F(OnCuda, HierarchiesAreBitwiseThoseOfTheHostAndCyclesEqualToRounding) {
  for (auto const* precision : {"float", "double"}) {
    SmoothedAggregation<> cuda(A), host(A);
    cuda.setParameters(parameters("cuda", precision));
    host.setParameters(parameters("host", precision));
    cuda.compute();
    host.compute();
    EXPECT_EQ(cuda.hierarchyReport()->backend, "cuda");
    EXPECT_EQ(checksums(cuda), checksums(host));
    EXPECT_LT(difference(applied(cuda), applied(host)), *precision == 'f' ? 1e-5 : 1e-12);
  }
}

TEST_F(OnCuda, RefreshIsBitwiseTheHostsRefresh) {
  SmoothedAggregation<> cuda(A), host(A);
  cuda.setParameters(parameters("cuda"));
  host.setParameters(parameters("host"));
  cuda.compute();
  host.compute();
  auto const before = checksums(cuda);
  A->resumeFill();
  A->scale(3.0);
  A->fillComplete();
  cuda.compute();
  host.compute();
  EXPECT_NE(cuda.description().find("Last compute: \"refresh"), std::string::npos) << cuda.description();
  EXPECT_NE(checksums(cuda), before);
  EXPECT_EQ(checksums(cuda), checksums(host));
}

TEST_F(OnCuda, OnlyARefreshThatPreparesTakesMemory) {
  for (bool const prepared : {false, true}) {
    SmoothedAggregation<> M(A);
    auto list = parameters("cuda");
    list.set("reuse: prepare refresh", prepared ? "first" : "second");
    M.setParameters(list);
    M.compute();
    if (!prepared) {
      auto const never = core::memory_use(Cuda{}).in_use;
      M.compute();
      EXPECT_GT(core::memory_use(Cuda{}).in_use, never);  // what later ones need
    }
    auto const before = core::memory_use(Cuda{});
    M.compute();
    EXPECT_NE(M.description().find("Last compute: \"refresh"), std::string::npos) << M.description();
    auto const after = core::memory_use(Cuda{});
    EXPECT_EQ(after.in_use, before.in_use);
    if (tpetra::vectors_on_device) {  // its checks take less for their time than a copy of the matrix
      EXPECT_LT(after.peak, before.peak + before.peak / 50);
    } else {
      EXPECT_EQ(after.peak, before.peak);
      EXPECT_EQ(after.allocations, before.allocations);
    }
  }
}

TEST_F(OnCuda, ThePreconditionerGivesItsMemoryBack) {
  auto const before = core::memory_use(Cuda{}).in_use;
  {
    SmoothedAggregation<> M(A);
    M.setParameters(parameters("cuda"));
    M.compute();
    EXPECT_GT(core::memory_use(Cuda{}).in_use, before);
    M.setMatrix(Teuchos::null);
    EXPECT_EQ(core::memory_use(Cuda{}).in_use, before);
  }
  EXPECT_EQ(core::memory_use(Cuda{}).in_use, before);
}

TEST_F(OnCuda, EachColumnIsAppliedAsIfAlone) {
  SmoothedAggregation<> M(A);
  M.setParameters(parameters("cuda"));
  M.compute();
  auto const X = waves(map, 3);
  auto const together = applied(M, 3);
  std::vector<double> one_by_one;
  for (int c = 0; c < 3; ++c) {
    MultiVector Y(map, 1);
    M.apply(*X->getVector(c), Y);
    auto const column = values(Y);
    one_by_one.insert(one_by_one.end(), column.begin(), column.end());
  }
  EXPECT_EQ(together, one_by_one);
}

TEST_F(OnCuda, XAndYMayBeTheSameVector) {
  SmoothedAggregation<> M(A);
  M.setParameters(parameters("cuda"));
  M.compute();
  for (double const beta : {0.0, 1.0}) {
    auto const X = waves(map, 2);
    MultiVector Y(*X, Teuchos::Copy), expected(*X, Teuchos::Copy);
    M.apply(*X, expected, Teuchos::NO_TRANS, 2.0, beta);
    M.apply(Y, Y, Teuchos::NO_TRANS, 2.0, beta);
    EXPECT_EQ(values(Y), values(expected));
  }
}

TEST_F(OnCuda, WhatRunsThereGetsMatrixAndCycleWithoutCopies) {
  SmoothedAggregation<> M(A);
  M.setParameters(parameters("cuda"));
  EXPECT_EQ(M.inPlace(), nullptr);
  M.compute();
  auto const resident = std::get<ifpack2::Resident<Cuda>>(M.inPlace()->resident());
  auto const& space = resident.space;
  auto const rows = static_cast<std::size_t>(resident.matrix.local.rows);
  auto const X = values(*waves(map));
  ASSERT_EQ(rows, X.size());
  auto const b = core::to_space(space, X);
  Array<double, Cuda> x(space, rows);
  resident.M.apply(b.view(), x.span());
  EXPECT_EQ(core::to_vector(space, x.view()), applied(M));
}

TEST_F(OnCuda, AutoTakesTheGpuAndSaysSo) {
  SmoothedAggregation<> M(A);
  M.setParameters(parameters("auto"));
  M.compute();
  EXPECT_NE(M.description().find("Backend: \"cuda (auto: " + core::cuda_devices()[0].name + ", device "),
            std::string::npos)
      << M.description();
}

TEST_F(OnCuda, ADeviceThatThereIsNotIsRefused) {
  SmoothedAggregation<> M(A);
  auto list = parameters("cuda");
  list.set("backend: device", 1000);
  EXPECT_THROW(M.setParameters(list), core::InvalidInput);
}

TEST_F(OnCuda, BadMatricesAreRefusedAndTheNextOneWorks) {
  SmoothedAggregation<> M(laplacian(map, side, 1e40));
  M.setParameters(parameters("cuda"));
  EXPECT_THROW(M.compute(), core::InvalidInput);
  auto const negative = laplacian(map, side, -1.0);
  M.setMatrix(negative);
  EXPECT_THROW(M.compute(), core::NumericalError);
  EXPECT_FALSE(M.isComputed());
  M.setMatrix(A);
  EXPECT_NO_THROW(M.compute());
}

}  // namespace
}  // namespace Tessera::test
