#pragma once
/// \file
/// Symmetric Gauss-Seidel, row after row.
#include <vector>

#include "sparse/csr.hpp"

namespace Tessera::oracle {

/// z = M^-1 r by a forward and a backward sweep of Gauss-Seidel, in T. In single precision it is not quite
/// symmetric.
template <class T>
std::vector<double> gauss_seidel(sparse::CsrView<double> A, std::vector<double> const& r) {
  std::vector<T> z(r.begin(), r.end()), d(r.size());
  auto const less = [&](Index i, bool below) {
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      Index const j = A.column[k];
      if (j == i) d[i] = static_cast<T>(A.value[k]);
      if (below ? j < i : j > i) z[i] -= static_cast<T>(A.value[k]) * z[j];
    }
  };
  for (Index i = 0; i < A.rows; ++i) {
    less(i, true);
    z[i] /= d[i];
  }
  for (Index i = A.rows - 1; i >= 0; --i) {
    z[i] *= d[i];
    less(i, false);
    z[i] /= d[i];
  }
  return {z.begin(), z.end()};
}

}  // namespace Tessera::oracle
