#include "sparse/eigenvalue.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "sparse/tridiagonal.hpp"

namespace Tessera::sparse {

double tridiagonal_max_eigenvalue(std::vector<double> const& alpha, std::vector<double> const& beta) {
  auto const n = alpha.size();
  TESSERA_VALIDATE(n >= 1 && beta.size() + 1 == n, "a tridiagonal matrix with ", n, " diagonal and ",
                   beta.size(), " off-diagonal entries (n and n - 1 with n >= 1 are needed)");
  auto const finite = [](double v) { return std::isfinite(v); };
  TESSERA_VALIDATE(
      std::all_of(alpha.begin(), alpha.end(), finite) && std::all_of(beta.begin(), beta.end(), finite),
      "a tridiagonal matrix with an infinite entry or a NaN has no eigenvalues; check the matrix that "
      "Lanczos was given");
  Tridiagonal const T{alpha.data(), beta.data(), static_cast<int>(n)};
  double low = T.low(), high = T.high();
  while (low < high) {
    auto const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (T.all_below(middle)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

}  // namespace Tessera::sparse
