#pragma once
/// \file
/// What is wrong with a matrix or with the parameters.
#include <limits>
#include <string>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "fsai/factor.hpp"

namespace Tessera::fsai {

/// rows - i for a row i whose diagonal is missing, not positive, below `smallest` or not finite, else 0.
struct BadDiagonalBody {
  sparse::CsrView<double> A;
  double smallest;
  TESSERA_HD Index operator()(Index i) const {
    double diagonal = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] == i) diagonal = A.value[k];
    }
    return diagonal > 0 && diagonal >= smallest && diagonal * 0.0 == 0.0 ? 0 : A.rows - i;
  }
};

/// The value of one entry, which may lie on a device.
template <class Space>
double value_at(Space const& space, Span<double const> values, std::size_t k) {
  return core::to_vector(space, values.part(k, 1)).front();
}

template <class Space>
double diagonal_of(Space const& space, sparse::CsrView<double> A, Index row) {
  auto const bounds = core::to_vector(space, A.offsets.part(row, 2));
  auto const columns = core::to_vector(space, A.column.part(bounds[0], bounds[1] - bounds[0]));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] == row) return value_at(space, A.value, bounds[0] + k);
  }
  return 0;
}

/// What is wrong with an owned row of this rank; row -1: nothing.
struct Complaint {
  Index row = -1;
  std::string text;
};

/// Throws an Error, the same on every rank, for the first row of all ranks that has a complaint. Collective.
template <class Error>
void throw_first(comm::Distribution const& rows, Complaint const& mine) {
  constexpr auto none = std::numeric_limits<GlobalIndex>::max();
  auto const my_row = mine.row < 0 ? none : rows.begin() + mine.row;
  auto const first = rows.comm().min(my_row);
  comm::agree_on_errors(rows.comm(), [&] {
    if (first != none && my_row == first) throw Error(mine.text);
  });
}

/// The first row that cannot be that of a symmetric positive definite matrix.
template <class Space>
Complaint bad_row(Space const& space, comm::DistCsr<double, Space> const& A, double smallest) {
  auto const view = A.local.view();
  if (auto const row = sparse::first_nonfinite_row(space, view); row >= 0) {
    return {row, core::message("row ", A.row_name(row),
                               " holds an infinity or a NaN; check the values of the matrix")};
  }
  auto const bad = core::reduce(space, view.rows, BadDiagonalBody{view, smallest}, core::Max{}, Index{0});
  if (bad == 0) return {};
  auto const row = view.rows - bad;
  auto const diagonal = diagonal_of(space, view, row);
  return {row,
          core::message("row ", A.row_name(row), " has the diagonal entry ", diagonal,
                        diagonal > 0 ? " (float has no room for its inverse); set `precision: hierarchy` "
                                       "to double, or scale the system"
                                     : " (it must be positive); check that the matrix is symmetric "
                                       "positive definite")};
}

/// Collective; throws the same on every rank.
template <class Space>
void check_matrix(Space const& space, comm::DistCsr<double, Space> const& A, double smallest) {
  Complaint complaint;
  comm::agree_on_errors(A.rows.comm(), [&] { complaint = bad_row(space, A, smallest); });
  throw_first<core::NumericalError>(A.rows, complaint);
}

}  // namespace Tessera::fsai
