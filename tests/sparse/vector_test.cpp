#include "sparse/vector.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "oracle/generators.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

template <class T>
Span<T const> view(std::vector<T> const& x) {
  return {x.data(), x.size()};
}
template <class T>
Span<T> span(std::vector<T>& x) {
  return {x.data(), x.size()};
}

TEST(Vector, AxpbyIsItsFormula) {
  std::vector<double> const x{1, 2, 3};
  std::vector<double> y{10, 20, 30};
  axpby(Host{}, 2.0, view(x), -1.0, span(y));
  EXPECT_EQ(y, (std::vector<double>{-8, -16, -24}));
}

TEST(Vector, AxpbyWithBetaZeroForgetsNans) {
  std::vector<float> const x{1, 2};
  std::vector<float> y(2, std::numeric_limits<float>::quiet_NaN());
  axpby(Host{}, 3.0f, view(x), 0.0f, span(y));
  EXPECT_EQ(y, (std::vector<float>{3, 6}));
}

TEST(Vector, ScaledCopyRoundsToNearest) {
  std::vector<double> const x{0.1, 1e-50, -3};
  std::vector<float> y(3);
  scaled_copy(Host{}, 2.0, view(x), span(y));
  EXPECT_EQ(y, (std::vector<float>{0.2f, 0.0f, -6.0f}));
  std::vector<double> z(3);
  scaled_copy(Host{}, 1.0, view(y), span(z));
  EXPECT_EQ(z, (std::vector<double>{static_cast<double>(0.2f), 0, -6}));
}

TEST(Vector, ElementsMultiplyInPlace) {
  std::vector<double> const x{1, 2, 3};
  std::vector<double> y{4, 5, 6};
  multiply_elements(Host{}, view(x), view(y), span(y));
  EXPECT_EQ(y, (std::vector<double>{4, 10, 18}));
}

TEST(Vector, DotIsBitwiseEqualForAnyThreadsAndRight) {
  auto const x = oracle::random_vector(100001, 1), y = oracle::random_vector(100001, 2);
  long double exact = 0;
  for (std::size_t i = 0; i < x.size(); ++i) exact += static_cast<long double>(x[i]) * y[i];
  auto const one = testing::with_threads(1, [&] { return dot(Host{}, view(x), view(y)); });
  EXPECT_NEAR(one, static_cast<double>(exact), 1e-11);
  for (int threads : {2, 3, 4}) {
    EXPECT_EQ(one, testing::with_threads(threads, [&] { return dot(Host{}, view(x), view(y)); }));
  }
}

TEST(Vector, DotOfFloatsAddsInDouble) {
  std::vector<float> const x{16777216.0f, 1.0f, 1.0f}, ones(3, 1.0f);
  EXPECT_EQ(dot(Host{}, view(x), view(ones)), 16777218.0);
}

TEST(Vector, OperationsOnNothingAreNothing) {
  std::vector<double> const x;
  std::vector<double> y;
  axpby(Host{}, 1.0, view(x), 1.0, span(y));
  EXPECT_EQ(dot(Host{}, view(x), view(x)), 0.0);
}

}  // namespace
}  // namespace Tessera::sparse
