// Files that nobody here wrote.
#include <gtest/gtest.h>

#include <cmath>

#include "sample.hpp"
#include "support/matrices.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::tpetra {
namespace {

using support::matrix_path;

/// 1^T (A - A^T) x for a vector x without pattern; zero up to rounding when A is symmetric.
double asymmetry(CrsMatrix const& A) {
  MultiVector x(A.getRowMap(), 1), y(A.getRowMap(), 1), u(A.getRowMap(), 1), v(A.getRowMap(), 1);
  x.randomize();
  y.randomize();
  A.apply(x, u);
  A.apply(y, v);
  auto const yAx = y.getVector(0)->dot(*u.getVector(0));
  auto const xAy = x.getVector(0)->dot(*v.getVector(0));
  return std::abs(yAx - xAy) / (y.getVector(0)->norm2() * u.getVector(0)->norm2());
}

class SharedMatrix : public testing::TestWithParam<std::tuple<char const*, int, int>> {};

TEST_P(SharedMatrix, HasItsRowsAndEntriesAndIsSymmetric) {
  auto const [name, rows, entries] = GetParam();
  TESSERA_SKIP_WITHOUT_MATRIX(name);
  auto const A = read_matrix(matrix_path(name), sample::world());
  EXPECT_EQ(A->getGlobalNumRows(), static_cast<std::size_t>(rows));
  EXPECT_EQ(A->getGlobalNumEntries(), static_cast<std::size_t>(entries));
  EXPECT_LT(asymmetry(*A), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Readme, SharedMatrix,
                         testing::Values(std::tuple{"ibmpg1", 16327, 75827},
                                         std::tuple{"lap_wing", 62031, 305115},
                                         std::tuple{"diff_stump", 7698, 115704},
                                         std::tuple{"ginkgo_ani4", 3081, 20971},
                                         std::tuple{"hypre_beam_tet_dof2475", 2475, 70813}));

TEST(SharedVectors, AreReadOnTheMatrixMap) {
  TESSERA_SKIP_WITHOUT_MATRIX("hypre_beam_tet_dof2475");
  auto const A = read_matrix(matrix_path("hypre_beam_tet_dof2475"), sample::world(), 3);
  EXPECT_EQ(read_dense(matrix_path("hypre_beam_tet_dof2475_b"), A->getRowMap())->getNumVectors(), 1u);
  EXPECT_EQ(read_dense(matrix_path("hypre_beam_tet_dof2475_rbm"), A->getRowMap())->getNumVectors(), 3u);
}

}  // namespace
}  // namespace Tessera::tpetra
