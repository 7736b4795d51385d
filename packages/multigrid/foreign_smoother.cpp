#include "multigrid/foreign_smoother.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace Tessera::multigrid {

std::unique_ptr<ForeignSmoother> make_checked(ForeignSmoothers const& smoothers, MatrixOnHost const& A) {
  auto smoother = smoothers.make(A);
  std::vector<double> const b(static_cast<std::size_t>(A.local.rows), 1.0);
  std::vector<double> x(b.size());
  smoother->apply({b.data(), b.size()}, {x.data(), x.size()});
  auto const bad = std::find_if(x.begin(), x.end(), [](double value) { return !std::isfinite(value); });
  if (bad != x.end()) {
    throw core::NumericalError(core::message(
        smoothers.name, " makes ", *bad, " of b = 1 in row ", A.rows.begin() + (bad - x.begin()),
        " of a level of ", A.rows.global_size(),
        " rows, as a zero pivot or a zero on the diagonal does; change its parameters, or take another "
        "`smoother: type`"));
  }
  return smoother;
}

}  // namespace Tessera::multigrid
