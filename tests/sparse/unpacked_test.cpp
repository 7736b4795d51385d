// Stored matrices back in CSR.
#include "sparse/formats/unpacked.hpp"

#include <gtest/gtest.h>

#include "oracle/generators.hpp"

namespace Tessera::sparse {
namespace {

std::vector<StorageParameters> all_formats() {
  std::vector<StorageParameters> all;
  for (auto const& [name, format] : matrix_formats) {
    for (bool const borrow : {false, true}) {
      all.push_back({format});
      all.back().borrow = borrow;
    }
    all.push_back({format, 8, 16});
  }
  return all;
}

/// Every third row is in the first set, the others in the second.
RowSet<Host> rows_of(Index rows, bool first) {
  std::vector<Index> list;
  for (Index i = 0; i < rows; ++i)
    if ((i % 3 == 0) == first) list.push_back(i);
  return {false, core::to_space(Host{}, list)};
}

void expect_unpacked(Csr<double, Host> const& A) {
  for (auto const& parameters : all_formats()) {
    SplitRows<double, Host> const stored(Host{}, A.view(), rows_of(A.rows, true), rows_of(A.rows, false),
                                         parameters);
    SCOPED_TRACE(stored.format());
    auto const B = unpacked(Host{}, stored, A.rows, A.columns);
    EXPECT_EQ(core::to_vector(Host{}, B.offsets.view()), core::to_vector(Host{}, A.offsets.view()));
    EXPECT_EQ(core::to_vector(Host{}, B.column.view()), core::to_vector(Host{}, A.column.view()));
    EXPECT_EQ(core::to_vector(Host{}, B.value.view()), core::to_vector(Host{}, A.value.view()));
  }
}

TEST(Unpacked, IsWhatWasStored) {
  expect_unpacked(oracle::laplace(13, 11, 7));
  expect_unpacked(oracle::random_matrix(300, 200, 4.0, 5));  // with empty rows
  expect_unpacked(oracle::random_spd(64, 9.0, 3));
}

TEST(Unpacked, KeepsTheOrderWithinRows) {
  auto A = oracle::laplace(40, 5);
  for (Index i = 0; i < A.rows; ++i) {  // ghosts are at the places of their global indices
    std::swap(A.column[A.offsets[i]], A.column[A.offsets[i + 1] - 1]);
    std::swap(A.value[A.offsets[i]], A.value[A.offsets[i + 1] - 1]);
  }
  expect_unpacked(A);
}

TEST(Unpacked, HasZerosWherePaddingCannotBeMeant) {
  auto A = oracle::random_matrix(100, 100, 5.0, 7);
  for (std::size_t k = 0; k < A.value.size(); k += 7) A.value[k] = 0;
  SplitRows<double, Host> const stored(Host{}, A.view(), {true, {}}, {}, {MatrixFormat::csr});
  auto const B = unpacked(Host{}, stored, A.rows, A.columns);
  EXPECT_EQ(core::to_vector(Host{}, B.column.view()), core::to_vector(Host{}, A.column.view()));
}

}  // namespace
}  // namespace Tessera::sparse
