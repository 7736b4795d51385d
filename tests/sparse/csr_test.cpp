#include "sparse/csr.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "oracle/dense.hpp"
#include "oracle/generators.hpp"

namespace Tessera::sparse {
namespace {

//     [  4 -1  0 ]
// A = [  0  0  0 ]   (row 1 empty, the diagonal of row 2 stored last)
//     [ -2  3  5 ]
Csr<double, Host> small() {
  return oracle::make_csr(3, 3, {0, 2, 2, 5}, {0, 1, 1, 0, 2}, {4, -1, 3, -2, 5});
}

TEST(Csr, DiagonalOfMissingEntriesIsZero) {
  auto const A = small();
  Array<double, Host> d(Host{}, 3);
  extract_diagonal(Host{}, A.view(), d.span());
  EXPECT_EQ(core::to_vector(Host{}, d.view()), (std::vector<double>{4, 0, 5}));
}

TEST(Csr, RowSumsAreOfAbsoluteValues) {
  auto const A = small();
  Array<double, Host> all(Host{}, 3), off(Host{}, 3);
  absolute_row_sums(Host{}, A.view(), all.span());
  off_diagonal_row_sums(Host{}, A.view(), off.span());
  EXPECT_EQ(core::to_vector(Host{}, all.view()), (std::vector<double>{5, 0, 10}));
  EXPECT_EQ(core::to_vector(Host{}, off.view()), (std::vector<double>{1, 0, 5}));
}

TEST(Csr, CopyToFloatAndBackRoundsToNearest) {
  auto A = small();
  A.value[1] = 0.1;
  auto const B = copied<double>(Host{}, copied<float>(Host{}, A, Host{}), Host{});
  EXPECT_EQ(B.value[1], static_cast<double>(0.1f));
  EXPECT_EQ(B.value[4], 5.0);
  EXPECT_TRUE(oracle::identical(copied<double>(Host{}, A, Host{}), A));
}

TEST(Csr, FirstNonfiniteRowIsFoundAndFiniteMatricesHaveNone) {
  auto A = oracle::laplace(70, 70);
  EXPECT_EQ(first_nonfinite_row(Host{}, A.view()), -1);
  A.value[A.offsets[4200]] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(first_nonfinite_row(Host{}, A.view()), 4200);
  A.value[A.offsets[33] + 1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(first_nonfinite_row(Host{}, A.view()), 33);
  A.value[A.offsets[33] + 1] = std::numeric_limits<double>::max();
  EXPECT_EQ(first_nonfinite_row(Host{}, A.view()), 4200);
}

TEST(Checksum, IgnoresTheOrderOfStorage) {
  auto const A = small();
  auto const B = oracle::make_csr(3, 3, {0, 2, 2, 5}, {1, 0, 0, 2, 1}, {-1, 4, -2, 5, 3});
  EXPECT_EQ(checksum(Host{}, A.view()), checksum(Host{}, B.view()));
}

TEST(Checksum, ChangesWithEveryPartOfTheMatrix) {
  std::set<std::uint64_t> sums{checksum(Host{}, small().view())};
  auto A = small();
  A.value[0] = std::nextafter(A.value[0], 5.0);
  sums.insert(checksum(Host{}, A.view()));
  A = small();
  std::swap(A.value[0], A.value[1]);
  sums.insert(checksum(Host{}, A.view()));
  A = small();
  A.column[0] = 2;
  sums.insert(checksum(Host{}, A.view()));
  A = small();
  A.offsets[2] = 3;  // an entry changes its row
  sums.insert(checksum(Host{}, A.view()));
  sums.insert(checksum(Host{}, small().view(), 1));
  std::vector<GlobalIndex> const renamed{0, 2, 1};
  sums.insert(checksum(Host{}, small().view(), 0, {renamed.data(), 3}));
  sums.insert(checksum(Host{}, CsrView<double>{0, 3, small().offsets.view(), {}, {}}));
  EXPECT_EQ(sums.size(), 8u);
}

TEST(Checksum, OfRowBlocksWithGlobalNamesDependsOnNamesOnly) {
  auto const A = oracle::laplace(9, 7);
  std::vector<GlobalIndex> names(A.columns);
  for (Index j = 0; j < A.columns; ++j) names[j] = j;
  EXPECT_EQ(checksum(Host{}, A.view()), checksum(Host{}, A.view(), 0, {names.data(), names.size()}));
}

}  // namespace
}  // namespace Tessera::sparse
