#include "tpetra/matrix_checks.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"

namespace Tessera::tpetra {
namespace {

/// A ring of n rows: 2 on the diagonal, -1 next to it, except a(row, row + 1) = `value`.
Teuchos::RCP<CrsMatrix> ring(GlobalOrdinal n, GlobalOrdinal row, double value) {
  auto const map = Teuchos::rcp(new Map(n, 0, sample::world()));
  auto const A = Teuchos::rcp(new CrsMatrix(map, 3));
  for (auto const i : local_elements(*map)) {
    A->insertGlobalValues(i, Teuchos::tuple<GlobalOrdinal>((i + n - 1) % n, i, (i + 1) % n),
                          Teuchos::tuple<double>(-1, 2, i == row ? value : -1));
  }
  A->fillComplete();
  return A;
}

TEST(Symmetry, OfASymmetricMatrixNothingIsFound) {
  EXPECT_FALSE(find_unequal_pair(*ring(1000, 0, -1)));
  EXPECT_FALSE(find_unequal_pair(*ring(100, 7, -1 - 1e-12)));  // summed in another order
}

TEST(Symmetry, APairIsNamedWhereverItIs) {
  GlobalOrdinal const n = 100;  // all rows are in the sample
  for (GlobalOrdinal row = 0; row < n; ++row) {
    for (double const value : {-3.0, -1 - 1e-6, 0.0}) {
      auto const found = find_unequal_pair(*ring(n, row, value));
      ASSERT_TRUE(found) << row;
      bool const forward = found->row == row;
      EXPECT_EQ(found->row, forward ? row : (row + 1) % n);
      EXPECT_EQ(found->column, forward ? (row + 1) % n : row);
      EXPECT_EQ(found->value, forward ? value : -1);
      EXPECT_EQ(found->transposed, forward ? -1 : value);
    }
  }
}

TEST(Symmetry, TheSampleIsSpreadOverAllRows) {
  GlobalOrdinal const n = 100000;
  auto const map = Teuchos::rcp(new Map(n, 0, sample::world()));
  auto const A = Teuchos::rcp(new CrsMatrix(map, 3));  // the last quarter is not symmetric
  for (auto const i : local_elements(*map)) {
    A->insertGlobalValues(i, Teuchos::tuple<GlobalOrdinal>((i + n - 1) % n, i, (i + 1) % n),
                          Teuchos::tuple<double>(-1, 2, i > 3 * n / 4 && i + 1 < n ? -1.5 : -1));
  }
  A->fillComplete();
  auto const found = find_unequal_pair(*A);
  ASSERT_TRUE(found);
  EXPECT_GT(found->row, 3 * n / 4);
}

TEST(Symmetry, NamesAreTheUsersOnAnyMap) {
  for (auto const& layout : sample::layouts()) {
    auto const found = find_unequal_pair(*sample::matrix(layout));
    ASSERT_TRUE(found) << layout.name;
    EXPECT_EQ(found->value, sample::entry(layout.row(found->row), layout.row(found->column)));
    EXPECT_EQ(found->transposed, sample::entry(layout.row(found->column), layout.row(found->row)));
    EXPECT_NE(found->value, found->transposed);
    // The same on all ranks.
    GlobalOrdinal row = found->row;
    MPI_Bcast(&row, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    EXPECT_EQ(found->row, row);
  }
}

}  // namespace
}  // namespace Tessera::tpetra
