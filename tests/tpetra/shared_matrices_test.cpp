// Files of third parties, and small ones of the same kind.
#include <gtest/gtest.h>

#include <cmath>
#include <iomanip>

#include "compress.hpp"
#include "gallery/problem.hpp"
#include "sample.hpp"
#include "scratch_file.hpp"
#include "support/matrices.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::tpetra {
namespace {

using support::matrix_path;

/// 1^T (A - A^T) x for an irregular vector x; zero up to rounding if A is symmetric.
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

void expect_symmetric(CrsMatrix const& A, int rows, int entries) {
  EXPECT_EQ(A.getGlobalNumRows(), static_cast<std::size_t>(rows));
  EXPECT_EQ(A.getGlobalNumEntries(), static_cast<std::size_t>(entries));
  EXPECT_LT(asymmetry(A), 1e-12);
}

/// A problem of the gallery, whole on each rank.
gallery::Problem problem(std::string const& name, gallery::Options const& options) {
  return gallery::make_problem(name, options, Teuchos::rcp(new Teuchos::MpiComm<int>(MPI_COMM_SELF)));
}

/// Writes a symmetric matrix as other programs do: its lower triangle, row by row, to fifteen digits.
std::string lower_triangle(CrsMatrix const& A) {
  std::ostringstream entries;
  std::size_t count = 0;
  auto const local = A.getLocalMatrixHost();
  for (int i = 0; i < local.numRows(); ++i) {
    for (auto k = local.graph.row_map(i); k < local.graph.row_map(i + 1); ++k) {
      auto const j = A.getColMap()->getGlobalElement(local.graph.entries(k));
      if (j > i) continue;
      entries << i + 1 << ' ' << j + 1 << "  " << std::setprecision(15) << local.values(k) << '\n';
      ++count;
    }
  }
  std::ostringstream text;
  text << "%%MatrixMarket matrix coordinate real symmetric\n% lower triangle\n"
       << local.numRows() << ' ' << local.numRows() << ' ' << count << '\n'
       << entries.str();
  return text.str();
}

/// Column after column, to fifteen digits.
std::string columns(MultiVector const& X) {
  std::ostringstream text;
  text << "%%MatrixMarket matrix array real general\n"
       << X.getGlobalLength() << ' ' << X.getNumVectors() << '\n'
       << std::setprecision(15);
  for (std::size_t c = 0; c < X.getNumVectors(); ++c) {
    for (auto const x : X.getData(c)) text << x << '\n';
  }
  return text.str();
}

class SharedMatrix : public testing::TestWithParam<std::tuple<char const*, int, int>> {};

TEST_P(SharedMatrix, HasItsRowsAndEntriesAndIsSymmetric) {
  auto const [name, rows, entries] = GetParam();
  TESSERA_SKIP_WITHOUT_MATRIX(name);
  expect_symmetric(*read_matrix(matrix_path(name), sample::world()), rows, entries);
}

INSTANTIATE_TEST_SUITE_P(Readme, SharedMatrix,
                         testing::Values(std::tuple{"ibmpg1", 16327, 75827},
                                         std::tuple{"lap_wing", 62031, 305115},
                                         std::tuple{"diff_stump", 7698, 115704},
                                         std::tuple{"ginkgo_ani4", 3081, 20971},
                                         std::tuple{"hypre_beam_tet_dof2475", 2475, 70813}));

class SmallMatrix : public testing::TestWithParam<std::tuple<char const*, gallery::Options, int, int>> {};

TEST_P(SmallMatrix, HasItsRowsAndEntriesAndIsSymmetric) {
  auto const& [name, options, rows, entries] = GetParam();
  ScratchFile const file(xzipped(lower_triangle(*problem(name, options).matrix)));
  expect_symmetric(*read_matrix(file.path(), sample::world()), rows, entries);
}

/// A network, a graph, diffusion, anisotropic diffusion and elasticity, as those above.
INSTANTIATE_TEST_SUITE_P(
    Gallery, SmallMatrix,
    testing::Values(std::tuple{"RandomNetwork2D", gallery::Options{{"nx", 20}, {"ny", 20}}, 400, 1920},
                    std::tuple{"NeumannLaplace2D", gallery::Options{{"nx", 25}, {"ny", 16}}, 400, 1918},
                    std::tuple{"UnstructuredPoisson3D", gallery::Options{{"refinements", 1}}, 179, 2141},
                    std::tuple{"UnstructuredAnisotropy2D", gallery::Options{{"refinements", 2}}, 617, 4155},
                    std::tuple{"Elasticity3D", gallery::Options{{"nx", 4}, {"ny", 4}, {"nz", 4}}, 192,
                               9000}));

TEST(SharedVectors, AreReadOnTheMatrixMap) {
  TESSERA_SKIP_WITHOUT_MATRIX("hypre_beam_tet_dof2475");
  auto const A = read_matrix(matrix_path("hypre_beam_tet_dof2475"), sample::world(), 3);
  EXPECT_EQ(read_dense(matrix_path("hypre_beam_tet_dof2475_b"), A->getRowMap())->getNumVectors(), 1u);
  EXPECT_EQ(read_dense(matrix_path("hypre_beam_tet_dof2475_rbm"), A->getRowMap())->getNumVectors(), 3u);
}

TEST(SmallVectors, AreReadOnTheMatrixMap) {
  auto const small = problem("Elasticity3D", {{"nx", 3}, {"ny", 2}, {"nz", 4}});
  ScratchFile const matrix(xzipped(lower_triangle(*small.matrix)));
  auto const A = read_matrix(matrix.path(), sample::world(), 3);
  for (auto const& [expected, count] : {std::pair{small.rhs, 1U}, std::pair{small.nullspace, 6U}}) {
    ScratchFile const file(xzipped(columns(*expected)));
    auto const found = read_dense(file.path(), A->getRowMap());
    ASSERT_EQ(found->getNumVectors(), count);
    auto const rows = local_elements(*A->getRowMap());
    for (std::size_t c = 0; c < count; ++c) {
      for (int i = 0; i < rows.size(); ++i) {
        auto const x = expected->getData(c)[rows[i]];
        EXPECT_NEAR(found->getData(c)[i], x, 1e-14 * std::abs(x)) << "row " << rows[i] << ", column " << c;
      }
    }
  }
}

}  // namespace
}  // namespace Tessera::tpetra
