#include "sparse/transpose.hpp"

#include <gtest/gtest.h>

#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

//     [ 0 1 2 0 ]         [ 0 4 ]   source
// A = [ 4 0 3 0 ]   A^T = [ 1 0 ]   [2 0 1 3]
//                         [ 2 3 ]
//                         [ 0 0 ]
TEST(Transpose, OfASmallMatrixIsExact) {
  auto const A = oracle::make_csr(2, 4, {0, 2, 4}, {1, 2, 0, 2}, {1, 2, 4, 3});
  auto const At = transpose(Host{}, A.view());
  EXPECT_TRUE(
      oracle::identical(At.matrix, oracle::make_csr(4, 2, {0, 1, 2, 4, 4}, {1, 0, 0, 1}, {4, 1, 2, 3})));
  EXPECT_EQ(core::to_vector(Host{}, At.source.view()), (std::vector<Index>{2, 0, 1, 3}));
}

TEST(Transpose, OfARandomMatrixAgreesWithTheDenseOne) {
  auto const A = oracle::random_matrix(300, 170, 6, 1);
  auto const At = transpose(Host{}, A.view());
  EXPECT_EQ(oracle::to_dense(At.matrix.view()), oracle::transposed(oracle::to_dense(A.view())));
}

TEST(Transpose, OfTheTransposeIsTheMatrix) {
  auto const A = oracle::random_matrix(3000, 2100, 5, 2);
  EXPECT_TRUE(oracle::identical(transpose(Host{}, transpose(Host{}, A.view()).matrix.view()).matrix, A));
}

TEST(Transpose, DoesNotDependOnThreads) {
  auto const A = oracle::random_matrix(4000, 900, 5, 3);
  auto const one = testing::with_threads(1, [&] { return transpose(Host{}, A.view()); });
  for (int threads : {2, 3, 5}) {
    auto const many = testing::with_threads(threads, [&] { return transpose(Host{}, A.view()); });
    EXPECT_TRUE(oracle::identical(one.matrix, many.matrix)) << threads;
    EXPECT_EQ(core::to_vector(Host{}, one.source.view()), core::to_vector(Host{}, many.source.view()));
  }
}

TEST(Transpose, RefreshTakesNewValues) {
  auto A = oracle::random_matrix(500, 400, 4, 4);
  auto At = transpose(Host{}, A.view());
  for (auto& a : A.value) a *= 3;
  refresh_transpose(Host{}, A.view(), At);
  EXPECT_TRUE(oracle::identical(At.matrix, transpose(Host{}, A.view()).matrix));
}

TEST(Transpose, RefreshBringsBackValuesThatWereGivenBack) {
  auto const A = oracle::random_matrix(500, 400, 4, 6);
  auto At = transpose(Host{}, A.view());
  At.matrix.value = {};
  refresh_transpose(Host{}, A.view(), At);
  EXPECT_TRUE(oracle::identical(At.matrix, transpose(Host{}, A.view()).matrix));
}

TEST(Transpose, OfEmptyMatricesIsEmpty) {
  for (auto [rows, columns] : {std::pair{0, 0}, {0, 5}, {5, 0}, {3, 4}}) {
    auto const A = oracle::make_csr(rows, columns, std::vector<Offset>(rows + 1, 0), {}, {});
    auto const At = transpose(Host{}, A.view());
    EXPECT_EQ(At.matrix.rows, columns);
    EXPECT_EQ(At.matrix.columns, rows);
    EXPECT_EQ(At.matrix.offsets.size(), static_cast<std::size_t>(columns) + 1);
    EXPECT_EQ(At.matrix.offsets[columns], 0);
  }
}

}  // namespace
}  // namespace Tessera::sparse
