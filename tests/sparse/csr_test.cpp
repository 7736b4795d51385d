#include "sparse/csr.hpp"

#include <gtest/gtest.h>

#include <limits>

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

}  // namespace
}  // namespace Tessera::sparse
