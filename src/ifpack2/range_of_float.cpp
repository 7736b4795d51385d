#include "ifpack2/range_of_float.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/columns.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::ifpack2 {

double largest_entry(comm::DistCsr<double, Host> const& A) {
  double largest = 0;
  comm::agree_on_errors(A.rows.comm(), [&] {
    auto const magnitude = [value = A.local.value.data()](std::size_t i) { return std::abs(value[i]); };
    largest = A.rows.comm().max(core::reduce(Host{}, A.local.value.size(), magnitude, core::Max{}, 0.0));
  });
  return largest;
}

std::vector<double> largest_of_columns(tpetra::MultiVector const& X) {
  tpetra::ReadColumns const columns(X);
  std::vector<double const*> pointers;
  for (std::size_t c = 0; c < columns.size(); ++c) pointers.push_back(columns[c].data());
  return sparse::absolute_maxima(Host{}, X.getLocalLength(), {pointers.data(), pointers.size()});
}

void require_range_of_float(double largest) {
  TESSERA_VALIDATE(
      largest == 0 || (largest > 1e-25 && largest < 1e25) || !std::isfinite(largest),
      "the largest entry of the matrix is ", largest,
      ", too far from 1 for a preconditioner in float; set `precision: hierarchy` to double, or scale "
      "the system");
}

double scale_for_float(double entry, double matrix) {
  constexpr double range = 1e30;
  auto const fits = [](double value) { return value > 1 / range && value < range; };
  if (entry == 0 || !std::isfinite(entry) || (fits(entry) && fits(entry / matrix))) return 1;
  constexpr int most = 1000;  // its inverse is a number, too
  return std::ldexp(1.0, std::clamp(std::ilogb(entry), -most, most));
}

}  // namespace Tessera::ifpack2
