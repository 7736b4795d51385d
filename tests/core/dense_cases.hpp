#pragma once
/// \file
/// Dense matrices whose products are whole numbers, and one that has an inverse.
#include <gtest/gtest.h>

#include <vector>

#include "core/dense.hpp"

namespace Tessera::test {

/// x = M b with m_ij = (i + j) mod 5 - 2 and b_j = j mod 3, where every sum is exact in any order.
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

/// 1 on the diagonal, `coupling` / n elsewhere: positive definite where 0 <= coupling < n, of rank one where
/// it is n.
inline std::vector<double> coupled(int n, double coupling) {
  std::vector<double> S(static_cast<std::size_t>(n) * n, coupling / n);
  for (int i = 0; i < n; ++i) S[i + static_cast<std::size_t>(i) * n] = 1;
  return S;
}

}  // namespace Tessera::test
