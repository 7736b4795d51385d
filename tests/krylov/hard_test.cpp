#include <gtest/gtest.h>

#include "oracle/conjugate_gradients.hpp"
#include "oracle/gauss_seidel.hpp"
#include "oracle/generators.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

template <class T>
std::vector<double> jacobi(sparse::CsrView<double> A, std::vector<double> r) {
  for (Index i = 0; i < A.rows; ++i) {
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] == i) r[i] = static_cast<T>(r[i]) / static_cast<T>(A.value[k]);
    }
  }
  return r;
}

/// The text-book's iterations, but for one in a hundred either way.
template <class M>
void expect_text_book(sparse::Csr<double, Host> const& A, M const& apply) {
  auto const b = oracle::product(A.view(), std::vector<double>(A.rows, 1.0));
  auto const precondition = [&](auto const& r) { return apply(A.view(), r); };
  auto const expected = oracle::conjugate_gradients(
      [&](auto const& v) { return oracle::product(A.view(), v); }, precondition, dot, b, 1e-8);
  ASSERT_TRUE(expected.converged);
  for (auto const how : all_shares) {
    System system(A, b, how);
    system.precondition_whole(precondition);
    auto const result = system.solve();
    EXPECT_TRUE(result.converged) << result.reason;
    EXPECT_NEAR(result.iterations, expected.iterations(), 0.01 * expected.iterations() + 0.5);
  }
}

// With (p, A p) from conjugacy alone these take 68, 182 and 546.
TEST(HardSystems, RoundedPreconditionersCostNoIterations) {
  expect_text_book(oracle::jumping_diffusion(30, 30, 0, 1e-5, 3), oracle::gauss_seidel<float>);  // 50
  expect_text_book(oracle::jumping_diffusion(30, 30, 3, 1e-5, 3), oracle::gauss_seidel<float>);  // 139
  expect_text_book(oracle::jumping_diffusion(30, 30, 6, 1e-5, 3), oracle::gauss_seidel<float>);  // 468
}

TEST(HardSystems, ExactPreconditionersTakeTheTextBooksIterations) {
  expect_text_book(oracle::jumping_diffusion(30, 30, 0, 1e-5, 3), oracle::gauss_seidel<double>);  // 50
  expect_text_book(oracle::jumping_diffusion(30, 30, 3, 1e-5, 3), oracle::gauss_seidel<double>);  // 138
  expect_text_book(oracle::jumping_diffusion(30, 30, 6, 1e-3, 3), jacobi<float>);                 // 72
}

}  // namespace
}  // namespace Tessera::test
