#pragma once
/// \file
/// Dense matrices whose products are whole numbers, and one that has an inverse.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/dense.hpp"
#include "core/hash.hpp"

namespace Tessera::test {

/// x = M b with m_ij = (i + j) mod 5 - 2 and b_j = j mod 3: every sum is exact in any order.
template <class T, class Space>
void expect_exact_products(Space const& space) {
  for (int const n : {0, 1, 31, 32, 33, 100}) {
    std::vector<double> M(static_cast<std::size_t>(n) * n);
    std::vector<T> b(n), expected(n);
    for (int j = 0; j < n; ++j) b[j] = static_cast<T>(j % 3);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        M[i + static_cast<std::size_t>(j) * n] = (i + j) % 5 - 2;
        expected[i] += static_cast<T>((i + j) % 5 - 2) * b[j];
      }
    }
    auto const matrix = core::to_space(space, M);
    auto const vector = core::to_space(space, b);
    Array<T, Space> x(space, n);
    core::Dense<Space>::multiply(space, matrix.view(), vector.view(), x.span());
    EXPECT_EQ(core::to_vector(space, x.view()), expected) << n << " rows";
  }
}

/// 1 on the diagonal, `coupling` / n elsewhere: positive definite if 0 <= coupling < n, of rank one if
/// coupling = n.
inline std::vector<double> coupled(int n, double coupling) {
  std::vector<double> S(static_cast<std::size_t>(n) * n, coupling / n);
  for (int i = 0; i < n; ++i) S[i + static_cast<std::size_t>(i) * n] = 1;
  return S;
}

/// 1 on the diagonal, up to 1 / n of any sign elsewhere, which has an inverse.
inline std::vector<double> wild(int n) {
  std::vector<double> S(static_cast<std::size_t>(n) * n, 1);
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) {
      auto const pair = i + std::int64_t{j} * n;
      S[i + static_cast<std::size_t>(j) * n] = S[j + static_cast<std::size_t>(i) * n] =
          core::uniform(pair, 5) / n;
    }
  }
  return S;
}

/// x = M b, summed in the order that dense.hpp defines.
template <class T>
std::vector<T> product_by_lanes(std::vector<double> const& M, std::vector<T> const& b) {
  auto const n = b.size();
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    double lane[core::product_lanes] = {};
    for (std::size_t j = 0; j < n; ++j)
      lane[j % core::product_lanes] += M[i + j * n] * static_cast<double>(b[j]);
    for (int half = core::product_lanes / 2; half > 0; half /= 2) {
      for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
    }
    x[i] = static_cast<T>(lane[0]);
  }
  return x;
}

template <class T, class Space>
void expect_products_by_lanes(Space const& space) {
  for (int const n : {1, 31, 32, 33, 100, 500}) {
    auto const M = wild(n);
    std::vector<T> b(n);
    for (int j = 0; j < n; ++j) b[j] = static_cast<T>(core::uniform(j, 6));
    auto const matrix = core::to_space(space, M);
    auto const vector = core::to_space(space, b);
    Array<T, Space> x(space, n);
    core::Dense<Space>::multiply(space, matrix.view(), vector.view(), x.span());
    EXPECT_EQ(core::to_vector(space, x.view()), product_by_lanes(M, b)) << n << " rows";
  }
}

/// Replaces S by -S^-1, from its lower part; returns whether S was regular.
template <class Space>
bool negate_inverse(Space const& space, std::vector<double>& S, int n) {
  auto matrix = core::to_space(space, S);
  Array<int, Space> regular(space, 1);
  core::Dense<Space>::negate_inverse(space, matrix.span(), n, 1e-12, regular.data());
  S = core::to_vector(space, matrix.view());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i)
      S[i + static_cast<std::size_t>(j) * n] = S[j + static_cast<std::size_t>(i) * n];
  }
  return core::to_vector(space, regular.view()).front() != 0;
}

template <class Space>
void expect_inverses(Space const& space) {
  for (int const n : {1, 2, 31, 32, 33, 64, 200, 600}) {
    auto const S = coupled(n, 0.5);
    auto inverse = S;
    ASSERT_TRUE(negate_inverse(space, inverse, n)) << n << " rows";
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum -= S[i + k * n] * inverse[k + j * n];
        EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12) << n << " rows, entry " << i << ", " << j;
      }
    }
  }
}

template <class Space>
void expect_no_inverses(Space const& space) {
  for (int const n : {2, 33, 100}) {
    auto S = coupled(n, n);
    EXPECT_FALSE(negate_inverse(space, S, n)) << n << " rows";
  }
}

}  // namespace Tessera::test
