#pragma once
/// \file
/// The check of the diagonal; see strength.hpp.
#include <cfloat>
#include <climits>
#include <cmath>
#include <vector>

#include "aggregation/strength.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::aggregation {

/// a_ii plus a_ij * 0 over the row: NaN if an entry of the row is not finite.
struct PoisonedDiagonal {
  TESSERA_HD double operator()(Index i, Offset, double a, Index c) const {
    return (c == i ? a : 0.0) + a * 0.0;
  }
};

/// The row if its diagonal entry is unusable, else none.
struct UnusableRowBody {
  static constexpr Index none = INT_MAX;
  double const* diagonal;
  double smallest;
  TESSERA_HD Index operator()(Index i) const {
    return diagonal[i] > 0.0 && diagonal[i] >= smallest && diagonal[i] <= DBL_MAX ? none : i;
  }
};

struct Smaller {
  TESSERA_HD Index operator()(Index a, Index b) const { return b < a ? b : a; }
};

/// The error message for row i, given its entries on the host.
inline std::string unusable_row(GlobalIndex row, Index i, std::vector<Index> const& column,
                                std::vector<double> const& value) {
  auto const text = [row](auto const&... problem) {
    return core::message("strength of connection: row ", row, problem...);
  };
  bool present = false;
  double diagonal = 0.0;
  for (std::size_t k = 0; k < column.size(); ++k) {
    if (column[k] == i) {
      present = true;
      diagonal = value[k];
    } else if (!std::isfinite(value[k])) {
      return text(" has the entry ", value[k],
                  " (it determines no coupling), look for divisions by zero in the assembly");
    }
  }
  if (!present)
    return text(" has no diagonal entry (couplings are measured against it), store one that is positive");
  if (!std::isfinite(diagonal))
    return text(" has the diagonal entry ", diagonal,
                " (it determines no coupling), look for divisions by zero in the assembly");
  if (diagonal == 0.0)
    return text(
        " has a zero on the diagonal (the matrix is not positive definite), remove the unknown or give ",
        "its row a positive diagonal entry");
  if (diagonal > 0.0)
    return text(
        " has the diagonal entry ", diagonal,
        " (float cannot hold its inverse), set `precision: hierarchy` to double, or scale the system");
  return text(" has the diagonal entry ", diagonal,
              " (the matrix is not positive definite), change the sign of the system if all are negative");
}

template <class Space>
void check_diagonal(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                    double smallest) {
  Index const i = core::reduce(space, diagonal.size(), UnusableRowBody{diagonal.data(), smallest}, Smaller{},
                               Index{UnusableRowBody::none});
  if (i == UnusableRowBody::none) return;
  auto const range = core::to_vector(space, A.local.offsets.view().part(i, 2));
  auto const begin = static_cast<std::size_t>(range[0]);
  auto const length = static_cast<std::size_t>(range[1] - range[0]);
  throw core::NumericalError(unusable_row(A.row_name(i), i,
                                          core::to_vector(space, A.local.column.view().part(begin, length)),
                                          core::to_vector(space, A.local.value.view().part(begin, length))));
}

template <class Space>
Array<double, Space> checked_diagonal(Space const& space, comm::DistCsr<double, Space> const& A) {
  Array<double, Space> diagonal(space, A.local.rows);
  sparse::row_reduce(space, A.local.view(), PoisonedDiagonal{},
                     sparse::StoreProduct<double>{diagonal.data()});
  check_diagonal(space, A, diagonal.view());
  return diagonal;
}

}  // namespace Tessera::aggregation
