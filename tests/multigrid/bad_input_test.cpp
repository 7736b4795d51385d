#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"

namespace Tessera::multigrid {
namespace {

/// The error text of a setup; empty if it succeeds. Every rank must throw.
template <class T = double>
std::string complaint(comm::DistCsr<double, Host> const& A, NearNullspace const& nullspace = {},
                      Parameters const& parameters = {}) {
  std::string text;
  try {
    Hierarchy<T, Host>(Host{}, A, test::node_ids_on(Host{}, A.rows, parameters.equations), nullspace,
                       parameters);
  } catch (std::exception const& error) {
    text = error.what();
  }
  EXPECT_EQ(A.rows.comm().any(text.empty()), text.empty()) << text;
  return text;
}

/// A 30 x 30 grid with one entry of row 450 replaced.
comm::DistCsr<double, Host> damaged(bool diagonal, double value) {
  auto whole = oracle::laplace(30, 30);
  for (Offset k = whole.offsets[450]; k < whole.offsets[451]; ++k) {
    if ((whole.column[k] == 450) == diagonal) whole.value[k] = value;
  }
  return test::distribute(whole, test::share(test::world(), 900, false));
}

bool names(std::string const& text, char const* what) {
  return text.find(what) != std::string::npos;
}

TEST(BadInput, ANonPositiveOrMissingDiagonalNamesTheRow) {
  EXPECT_TRUE(names(complaint(damaged(true, 0.0)), "450"));
  EXPECT_TRUE(names(complaint(damaged(true, -4.0)), "450"));
}

TEST(BadInput, ADiagonalWhoseInverseIsBeyondFloatNamesTheRow) {
  auto whole = oracle::laplace(30, 30);
  for (Index i = 0; i < 900; ++i) {  // row 450 stands alone
    for (Offset k = whole.offsets[i]; k < whole.offsets[i + 1]; ++k) {
      if ((i == 450) != (whole.column[k] == 450)) whole.value[k] = 0;
      if (i == 450 && whole.column[k] == 450) whole.value[k] = 1e-50;
    }
  }
  auto const A = test::distribute(whole, test::share(test::world(), 900, false));
  for (int const coarsest : {30, 1000}) {
    Parameters p;
    p.coarse_max_size = coarsest;
    auto const text = complaint<float>(A, {}, p);
    EXPECT_TRUE(names(text, "row 450 has the diagonal entry 1e-50")) << text;
    EXPECT_TRUE(names(text, "`precision: hierarchy` to double")) << text;
    EXPECT_EQ(complaint<double>(A, {}, p), "");
  }
}

TEST(BadInput, NanAndInfinityNameTheRow) {
  EXPECT_TRUE(names(complaint(damaged(true, std::nan(""))), "450"));
  EXPECT_TRUE(names(complaint(damaged(false, std::nan(""))), "450"));
  EXPECT_TRUE(names(complaint(damaged(false, INFINITY)), "450"));
}

TEST(BadInput, EquationsThatDoNotDivideTheRowsAreRefused) {
  Parameters p;
  p.equations = 7;
  EXPECT_TRUE(names(complaint(damaged(true, 4.0), {}, p), "`number of equations` is 7"));
}

TEST(BadInput, ANearNullspaceOfTheWrongSizeIsRefused) {
  NearNullspace B;
  B.vectors = 2;
  B.values.assign(3, 1.0);
  EXPECT_TRUE(names(complaint(damaged(true, 4.0), B), "near-nullspace"));
}

TEST(BadInput, RigidBodyModesWithoutCoordinatesAreRefused) {
  NearNullspace B;
  B.vectors = 6;
  B.rigid_body.dimension = 3;
  EXPECT_TRUE(names(complaint(damaged(true, 4.0), B), "rigid-body modes"));
}

TEST(BadInput, CoordinatesOfTheWrongSizeAreRefused) {
  NearNullspace B;
  B.dimension = 2;
  B.coordinates.assign(5, 1.0);
  EXPECT_TRUE(names(complaint(damaged(true, 4.0), B), "coordinates"));
}

TEST(BadInput, AnIndefiniteMatrixIsFoundOnTheCoarsestLevel) {
  auto whole = oracle::laplace(10);
  for (auto& a : whole.value) {
    if (a > 0) a = 1;  // diagonal 1, off-diagonals -1: eigenvalues down to about -1
  }
  EXPECT_TRUE(names(complaint(test::distribute(whole, test::share(test::world(), 10))), "semidefinite"));
}

}  // namespace
}  // namespace Tessera::multigrid
