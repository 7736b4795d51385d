#pragma once
/// \file
/// Checks of multivectors for either back end.
#include <gtest/gtest.h>

#include <BelosMVOPTester.hpp>
#include <BelosOutputManager.hpp>
#include <limits>
#include <sstream>

#include "Tessera_BelosTraits.hpp"
#include "belos/operators.hpp"
#include "core/hash.hpp"

namespace Tessera::test {

using Vectors = ResidentMultiVector;
using Traits = Belos::MultiVecTraits<double, Vectors>;
using Matrix = Teuchos::SerialDenseMatrix<int, double>;

/// Rank r owns 5 r + 7 rows, but the second rank none.
inline comm::Distribution uneven_rows() {
  comm::Communicator const world(MPI_COMM_WORLD);
  return {world, world.rank() == 1 ? 0 : 5 * world.rank() + 7};
}

/// Columns with small integers, so that sums are exact: value(i, j) of global row i.
template <class Value>
Vectors columns_of(std::shared_ptr<belos::Residence const> const& residence, int columns,
                   Value const& value) {
  Vectors X(residence, columns);
  for (int j = 0; j < columns; ++j) {
    std::vector<double> numbers(X.localRows());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = value(residence->rows().begin() + static_cast<GlobalIndex>(i), j);
    residence->upload({numbers.data(), numbers.size()}, X.column(j));
  }
  return X;
}

/// Column j of this rank.
inline std::vector<double> numbers_of(Vectors const& X, int j) {
  std::vector<double> numbers(X.localRows());
  X.residence().download(X.column(j), {numbers.data(), numbers.size()});
  return numbers;
}

template <class Value>
void expect_columns(Vectors const& X, Value const& value) {
  for (int j = 0; j < X.columns(); ++j) {
    auto const numbers = numbers_of(X, j);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      EXPECT_DOUBLE_EQ(numbers[i], value(X.residence().rows().begin() + static_cast<GlobalIndex>(i), j));
  }
}

inline double small_integer(GlobalIndex i, int j) {
  return static_cast<double>((i * 7 + j * 3) % 11 - 5);
}

/// -1, 4, -1 with one more coupling to the row 3 further on: symmetric, diagonally dominant.
inline comm::DistCsr<double, Host> banded_matrix(comm::Distribution const& rows) {
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    for (GlobalIndex const shift : {-3, -1, 0, 1, 3}) {
      if (i + shift < 0 || i + shift >= rows.global_size()) continue;
      column.push_back(i + shift);
      value.push_back(shift == 0 ? 5 : -1);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(rows, rows, offsets, column, value);
}

inline void belos_own_vector_test_passes(std::shared_ptr<belos::Residence const> const& residence) {
  Vectors const X(residence, 1);
  std::ostringstream words;
  Teuchos::RCP<Belos::OutputManager<double>> const printer(
      new Belos::OutputManager<double>(Belos::Warnings | Belos::Errors, Teuchos::rcpFromRef(words)));
  EXPECT_TRUE(Belos::TestMultiVecTraits<double>(printer, Teuchos::rcpFromRef(X))) << words.str();
}

inline void belos_own_operator_test_passes(std::shared_ptr<belos::Residence const> const& residence,
                                           ResidentOperator const& A) {
  Vectors const X(residence, 1);
  std::ostringstream words;
  Teuchos::RCP<Belos::OutputManager<double>> const printer(
      new Belos::OutputManager<double>(Belos::Warnings | Belos::Errors, Teuchos::rcpFromRef(words)));
  bool const passed = Belos::TestOperatorTraits<double, Vectors, ResidentOperator>(
      printer, Teuchos::rcpFromRef(X), Teuchos::rcpFromRef(A));
  EXPECT_TRUE(passed) << words.str();
}

/// Belos reads and writes columns through views of any order, with repetitions.
inline void views_share_memory(std::shared_ptr<belos::Residence const> const& residence) {
  auto X = columns_of(residence, 4, small_integer);
  auto const view = Traits::CloneViewNonConst(X, std::vector<int>{3, 1});
  Traits::MvScale(*view, std::vector<double>{2, 3});
  expect_columns(X, [](GlobalIndex i, int j) { return small_integer(i, j) * (j == 3 ? 2 : j == 1 ? 3 : 1); });
  auto const again = Traits::CloneView(X, std::vector<int>{0, 0, 2});
  expect_columns(*again, [](GlobalIndex i, int j) { return small_integer(i, j == 2 ? 2 : 0); });
}

inline void combining_forgets_what_is_not_read(std::shared_ptr<belos::Residence const> const& residence) {
  auto const A = columns_of(residence, 3, small_integer);
  Vectors garbage(residence, 3), Y(residence, 3);
  garbage.fill(std::numeric_limits<double>::quiet_NaN());
  Y.fill(std::numeric_limits<double>::quiet_NaN());
  Traits::MvAddMv(2, A, 0, garbage, Y);
  expect_columns(Y, [](GlobalIndex i, int j) { return 2 * small_integer(i, j); });
  Traits::MvAddMv(-1, Y, 3, A, Y);
  expect_columns(Y, small_integer);
  Y.fill(std::numeric_limits<double>::quiet_NaN());
  Matrix B(3, 3);
  B(0, 1) = B(1, 2) = B(2, 0) = 1;
  Traits::MvTimesMatAddMv(1, A, B, 0, Y);
  expect_columns(Y, [](GlobalIndex i, int j) { return small_integer(i, (j + 2) % 3); });
}

/// Belos passes parts of larger matrices (stride), diagonal matrices, and overlapping vectors.
inline void small_matrices_multiply(std::shared_ptr<belos::Residence const> const& residence) {
  auto X = columns_of(residence, 3, small_integer);
  Matrix const large = [] {
    Matrix made(5, 4);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 4; ++j) made(i, j) = i - 2 * j;
    return made;
  }();
  Matrix const piece(Teuchos::View, large, 3, 2, 1, 1);
  auto const product = [&](GlobalIndex i, int j) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += small_integer(i, k) * (k + 1 - 2 * (j + 1));
    return sum;
  };
  auto Y = columns_of(residence, 2, small_integer);
  Traits::MvTimesMatAddMv(2, X, piece, -1, Y);
  expect_columns(Y, [&](GlobalIndex i, int j) { return 2 * product(i, j) - small_integer(i, j); });

  Matrix diagonal(2, 2);
  diagonal(0, 0) = 3;
  diagonal(1, 1) = -2;
  auto Z = columns_of(residence, 2, small_integer);
  Traits::MvTimesMatAddMv(1, *Traits::CloneView(X, std::vector<int>{1, 2}), diagonal, 1, Z);
  expect_columns(Z, [](GlobalIndex i, int j) {
    return small_integer(i, j) + (j == 0 ? 3 : -2) * small_integer(i, j + 1);
  });

  auto const front = Traits::CloneViewNonConst(X, std::vector<int>{0, 1});
  Traits::MvTimesMatAddMv(1, X, piece, 0, *front);
  expect_columns(*front, product);
}

inline void sums_run_over_all_ranks(std::shared_ptr<belos::Residence const> const& residence) {
  auto const X = columns_of(residence, 10, small_integer);
  auto const Y = columns_of(residence, 2, [](GlobalIndex i, int j) { return small_integer(i, j + 5); });
  auto const n = residence->rows().global_size();
  auto const exact = [&](int j, int k) {
    double sum = 0;
    for (GlobalIndex i = 0; i < n; ++i) sum += small_integer(i, j) * small_integer(i, k);
    return sum;
  };
  Matrix C(10, 2);
  Traits::MvTransMv(-2, X, Y, C);
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 2; ++j) EXPECT_EQ(C(i, j), -2 * exact(i, j + 5));
  std::vector<double> norms(12, -7);
  Traits::MvNorm(X, norms);
  EXPECT_EQ(norms.size(), 12u);
  EXPECT_DOUBLE_EQ(norms[9], std::sqrt(exact(9, 9)));
  EXPECT_EQ(norms[10], -7);
  double sum = 0, largest = 0;
  for (GlobalIndex i = 0; i < n; ++i) {
    sum += std::abs(small_integer(i, 1));
    largest = std::max(largest, std::abs(small_integer(i, 1)));
  }
  Traits::MvNorm(X, norms, Belos::OneNorm);
  EXPECT_EQ(norms[1], sum);
  Traits::MvNorm(X, norms, Belos::InfNorm);
  EXPECT_EQ(norms[1], largest);
}

inline void set_block_takes_the_first_columns(std::shared_ptr<belos::Residence const> const& residence) {
  auto const A = columns_of(residence, 3, [](GlobalIndex, int j) { return 10.0 + j; });
  auto X = columns_of(residence, 4, [](GlobalIndex, int j) { return 1.0 * j; });
  Traits::SetBlock(A, std::vector<int>{2, 0}, X);
  expect_columns(X, [](GlobalIndex, int j) { return j == 2 ? 10.0 : j == 0 ? 11.0 : 1.0 * j; });
  Traits::SetBlock(A, Teuchos::Range1D(2, 3), X);
  expect_columns(X, [](GlobalIndex, int j) { return j == 2 ? 10.0 : j == 3 ? 11.0 : j == 0 ? 11.0 : 1.0; });
}

}  // namespace Tessera::test
