#pragma once
/// \file
/// Checks of the matrix before a setup, with the row of the first error.
#include <limits>
#include <string>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "fsai/factor.hpp"

namespace Tessera::fsai {

/// rows - i for a row i whose diagonal is missing (0), not positive, below `smallest` or not finite, else 0.
struct BadDiagonalBody {
  Span<double const> diagonal;
  double smallest;
  TESSERA_HD Index operator()(Index i) const {
    double const d = diagonal[i];
    return d > 0 && d >= smallest && d * 0.0 == 0.0 ? 0 : static_cast<Index>(diagonal.size()) - i;
  }
};

/// The first invalid row of this rank; row -1: none.
struct RowError {
  Index row = -1;
  std::string text;
};

/// Throws an Error, the same on every rank, for the first row of all ranks that has an error. Collective;
/// runs inside of agree_on_errors().
template <class Error>
void throw_first_error(comm::Distribution const& rows, RowError const& mine) {
  constexpr auto none = std::numeric_limits<GlobalIndex>::max();
  auto const my_row = mine.row < 0 ? none : rows.begin() + mine.row;
  auto const first = rows.comm().min(my_row);
  if (first == none) return;
  if (my_row == first) throw Error(mine.text);
  rows.comm().agree();
}

/// The first row that no symmetric positive definite matrix has. smallest: least diagonal entry that T can
/// invert.
template <class Space>
RowError first_invalid_row(Space const& space, comm::DistCsr<double, Space> const& A, double smallest) {
  auto const view = A.local.view();
  if (auto const row = sparse::first_nonfinite_row(space, view); row >= 0) {
    return {row,
            core::message(
                "row ", A.row_name(row),
                " holds an infinity or a NaN (FSAI needs finite values); check how the matrix is assembled")};
  }
  Array<double, Space> diagonals(space, view.rows);
  sparse::extract_diagonal(space, view, diagonals.span());
  auto const bad =
      core::reduce(space, view.rows, BadDiagonalBody{diagonals.view(), smallest}, core::Max{}, Index{0});
  if (bad == 0) return {};
  auto const row = view.rows - bad;
  auto const diagonal = core::to_vector(space, diagonals.view().part(row, 1)).front();
  return {row, core::message("row ", A.row_name(row), " has the diagonal entry ", diagonal,
                             diagonal > 0 ? " (float cannot hold its inverse); set `precision: hierarchy` "
                                            "to double, or scale the system"
                                          : " (it must be positive); check that the matrix is symmetric "
                                            "positive definite")};
}

/// Collective; throws the same error on every rank.
template <class Space>
void check_matrix(Space const& space, comm::DistCsr<double, Space> const& A, double smallest) {
  RowError error;
  comm::agree_on_errors(A.rows.comm(), [&] { error = first_invalid_row(space, A, smallest); });
  throw_first_error<core::NumericalError>(A.rows, error);
}

}  // namespace Tessera::fsai
