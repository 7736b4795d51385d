#include "ifpack2/material.hpp"

#include <Teuchos_LAPACK.hpp>
#include <algorithm>
#include <cmath>

#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace Tessera::ifpack2 {
namespace {

/// Whether the halves agree, up to rounding.
bool symmetric(double const* K, int n) {
  double largest = 0, difference = 0;
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      largest = std::max(largest, std::fabs(K[a * n + b]));
      difference = std::max(difference, std::fabs(K[a * n + b] - K[b * n + a]));
    }
  }
  return difference <= 1e-10 * largest;
}

/// False where it is not positive definite.
bool invert(double* K, int n) {
  if (n == 1) {  // most materials, a number a node: LAPACK's calls would take longer than a setup on a GPU
    bool const positive = K[0] > 0;
    K[0] = 1 / K[0];
    return positive && std::isfinite(K[0]);
  }
  Teuchos::LAPACK<int, double> const lapack;
  int info = 0;
  lapack.POTRF('L', n, K, n, &info);
  if (info != 0) return false;
  lapack.POTRI('L', n, K, n, &info);
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) K[b * n + a] = K[a * n + b];
  }
  return info == 0 && std::all_of(K, K + n * n, [](double k) { return std::isfinite(k); });
}

}  // namespace

void invert_materials(comm::Communicator const& comm, std::vector<double>& values, int measures,
                      tpetra::Map const& nodes) {
  auto const n = static_cast<int>(std::lround(std::sqrt(measures)));
  comm::agree_on_errors(comm, [&] {
    for (std::size_t node = 0; node < values.size() / measures; ++node) {
      double* const K = values.data() + node * measures;
      auto const named = [&] { return nodes.getGlobalElement(static_cast<tpetra::LocalOrdinal>(node)); };
      TESSERA_VALIDATE(
          symmetric(K, n), "the material of node ", named(),
          " is no symmetric tensor (distances would depend on the way that is gone); give row by "
          "row what conducts in each direction");
      TESSERA_VALIDATE(invert(K, n), "the material of node ", named(),
                       " is not positive definite (distances are divided by it); give what conducts there, "
                       "more than zero in all directions");
    }
  });
}

}  // namespace Tessera::ifpack2
