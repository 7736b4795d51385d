#include "tpetra/vectors.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "sample.hpp"

namespace Tessera::tpetra {
namespace {

/// Column c of row i holds 10 c + i (local row).
MultiVector sample_columns(std::size_t count) {
  MultiVector X(sample::layouts()[1].map(), count);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t i = 0; i < X.getLocalLength(); ++i) {
      X.replaceLocalValue(static_cast<int>(i), c, 10.0 * c + i);
    }
  }
  return X;
}

TEST(Columns, AreReadInOrder) {
  auto const X = sample_columns(3);
  ReadColumns const columns(X);
  ASSERT_EQ(columns.size(), 3u);
  for (std::size_t c = 0; c < 3; ++c) {
    ASSERT_EQ(columns[c].size(), X.getLocalLength());
    for (std::size_t i = 0; i < columns[c].size(); ++i) EXPECT_EQ(columns[c][i], 10.0 * c + i);
  }
}

TEST(Columns, OfANonconstantStrideAreReadOneByOne) {
  auto const X = sample_columns(4);
  auto const some = X.subView(Teuchos::tuple<std::size_t>(0, 3, 1));
  ASSERT_FALSE(some->isConstantStride());
  ReadColumns const columns(*some);
  ASSERT_EQ(columns.size(), 3u);
  double const first[] = {0, 30, 10};
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < columns[c].size(); ++i) EXPECT_EQ(columns[c][i], first[c] + i);
  }
}

TEST(Columns, WrittenReachTheVector) {
  auto X = sample_columns(4);
  for (auto const& chosen : {Teuchos::tuple<std::size_t>(1, 2, 3), Teuchos::tuple<std::size_t>(3, 0, 2)}) {
    auto const some = X.subViewNonConst(chosen);
    {
      WriteColumns const columns(*some);
      ASSERT_EQ(columns.size(), 3u);
      for (std::size_t c = 0; c < 3; ++c) {
        for (auto& value : columns[c]) value += 1000;
      }
    }
    for (auto const c : chosen) {
      auto const data = X.getData(c);
      for (int i = 0; i < data.size(); ++i) EXPECT_EQ(data[i], 10.0 * c + i + 1000);
    }
    X = sample_columns(4);
  }
}

TEST(Columns, ForgottenBeforeWritingNeedNoOldValues) {
  auto X = sample_columns(2);
  X.putScalar(std::numeric_limits<double>::quiet_NaN());
  {
    WriteColumns const columns(X, Before::forgotten);
    for (std::size_t c = 0; c < 2; ++c) {
      for (auto& value : columns[c]) value = 7;
    }
  }
  for (std::size_t c = 0; c < 2; ++c) {
    auto const data = X.getData(c);
    for (int i = 0; i < data.size(); ++i) EXPECT_EQ(data[i], 7);
  }
}

TEST(DeviceColumns, AreTheHostsWhereVectorsLieThere) {
  if (vectors_on_device) GTEST_SKIP() << "this Tpetra's vectors lie on a GPU";
  auto X = sample_columns(4);
  auto const some = X.subViewNonConst(Teuchos::tuple<std::size_t>(3, 0));
  {
    ReadColumnsOn<Cuda> const device(*some);
    ReadColumns const host(*some);
    ASSERT_EQ(device.size(), 2u);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_EQ(device[c].data(), host[c].data());
      EXPECT_EQ(device[c].size(), host[c].size());
    }
  }
  {
    WriteColumnsOn<Cuda> const device(*some);
    for (std::size_t c = 0; c < 2; ++c)
      for (double& value : device[c]) value = 5.0 + static_cast<double>(c);
  }
  ReadColumns const all(X);
  for (std::size_t i = 0; i < all[0].size(); ++i) {
    EXPECT_EQ(all[3][i], 5.0);
    EXPECT_EQ(all[0][i], 6.0);
    EXPECT_EQ(all[1][i], 10.0 + static_cast<double>(i)) << "not written";
  }
}

}  // namespace
}  // namespace Tessera::tpetra
