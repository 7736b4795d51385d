#pragma once
/// \file
/// Checks of the matrix, setup and refresh of one factor (Bernaschi et al. 2016, Algorithm 3.1).
#include <algorithm>
#include <limits>
#include <string>

#include "comm/communicator.hpp"
#include "comm/row_checks.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "fsai/adaptive_body.hpp"
#include "fsai/assembly_body.hpp"
#include "fsai/cut_rows.hpp"
#include "fsai/factor.hpp"
#include "fsai/pattern.hpp"
#include "fsai/row_systems.hpp"

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

/// The first row that no symmetric positive definite matrix has. smallest: least diagonal entry that the
/// precision of G can invert.
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

/// Runs one phase of a setup: measures its time, and throws its errors on all ranks.
template <class Space, class Work>
void phase(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor, char const* name,
           Work const& work) {
  comm::agree_on_errors(A.rows.comm(), name, [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, name);
    work();
  });
}

template <class Space>
RowError row_error(comm::DistCsr<double, Space> const& A, RowFailure const& failure) {
  if (failure.row < 0) return {};
  return {
      failure.row,
      core::message("row ", A.row_name(failure.row), ": the matrix is not positive definite there (pivot ",
                    failure.pivot, " in the dense system of the row's pattern, which rounding errors cannot ",
                    "explain); FSAI needs a symmetric positive definite or semidefinite matrix")};
}

/// Finds the static pattern, cuts rows that are too long, and fills the cut rows.
template <class Space>
void find_pattern(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor) {
  auto const& p = factor.parameters;
  auto const rows = factor.lower.view();
  Array<unsigned char, Space> cut(space, A.local.rows);
  phase(space, A, factor, "pattern", [&] {
    auto const filtered = prefiltered(space, rows, p.prefilter);
    auto const search = [&](Index max_size) {
      factor.row_bound = max_size;
      factor.pattern = {};
      factor.pattern =
          static_pattern(space, filtered.view(), rows.own, {p.pattern_level, max_size}, cut.span());
      factor.cut_rows = A.rows.comm().sum(GlobalIndex{count_marked(space, cut.view())});
    };
    search(p.max_row_size > 0 ? p.max_row_size : uncut_row_size);
    if (p.max_row_size > 0 || factor.cut_rows == 0) return;
    search(sampled_row_bound(space, A.rows, filtered.view(), rows.own, p.pattern_level));
  });
  if (factor.cut_rows == 0) {
    if (p.max_row_size == 0) factor.row_bound = largest_row;
    return;
  }
  RowFailure failure;
  phase(space, A, factor, "cut rows", [&] {
    failure =
        fill_cut_rows(space, rows, p.prefilter, factor.row_bound, p.workspace, factor.pattern, cut.span());
    factor.workspace = failure.workspace;
  });
  throw_first_error<core::NumericalError>(A.rows, row_error(A, failure));
}

/// Entries of G on the pattern, before the postfilter.
template <class Space>
Array<double, Space> solved_rows(Space const& space, comm::DistCsr<double, Space> const& A,
                                 Factor<Space>& factor) {
  Array<double, Space> value;
  RowFailure failure;
  phase(space, A, factor, "dense systems", [&] {
    auto const pattern = factor.pattern.view();
    value = Array<double, Space>(space, pattern.column.size());
    failure = solve_rows(space, factor.lower.view(), pattern, value.span(), factor.parameters.workspace);
    factor.workspace = std::max(factor.workspace, failure.workspace);
  });
  throw_first_error<core::NumericalError>(A.rows, row_error(A, failure));
  return value;
}

template <class Space>
void make_factor(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor) {
  auto const& parameters = factor.parameters;
  comm::agree_on_errors(A.rows.comm(), [&] {
    validate(parameters);
    TESSERA_VALIDATE(A.rows.global_size() == A.columns().global_size(), "the matrix is ",
                     A.rows.global_size(), " x ", A.columns().global_size(),
                     ", but only square matrices can be preconditioned");
  });
  check_matrix(space, A, factor.smallest_diagonal);
  phase(space, A, factor, "ghost rows",
        [&] { factor.lower = LowerMatrix<Space>(space, A, parameters, factor.halved); });
  find_pattern(space, A, factor);
  auto value = solved_rows(space, A, factor);
  if (parameters.adaptive_steps > 0) {
    RowFailure failure;
    phase(space, A, factor, "adaptive pattern", [&] { failure = grow(space, A.rows.comm(), factor, value); });
    throw_first_error<core::NumericalError>(A.rows, row_error(A, failure));
  }
  auto const pattern = factor.pattern.view();
  Array<Index, Space> kept(space, pattern.rows);
  phase(space, A, factor, "postfilter", [&] {
    factor.keep = Array<unsigned char, Space>(space, pattern.column.size());
    postfilter(space, factor.lower.view(), pattern, parameters.postfilter, parameters.postfilter_norm,
               value.span(), factor.keep.span(), kept.span());
  });
  phase(space, A, factor, "assembly", [&] { assemble_factor(space, A, value.view(), kept.view(), factor); });
  factor.lower.release_rows();
}

/// 1 for a row of a pattern unless its columns are known rows that ascend to the row itself.
struct ForeignPatternRow {
  PatternView pattern;
  LowerRows rows;
  TESSERA_HD int operator()(Index r) const {
    auto const row = pattern.row(r);
    Index before = -1;
    for (Index k = 0; k < pattern.size(r); ++k) {
      if (row[k] <= before || row[k] >= rows.A.rows) return 1;
      before = row[k];
    }
    return before == rows.own(r) ? 0 : 1;
  }
};

/// Rebuilds the rows of A for a loaded factor, and checks its pattern. Collective.
template <class Space>
void rebuild_lower_matrix(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor) {
  factor.lower = LowerMatrix<Space>(space, A, factor.parameters, factor.halved);
  auto const pattern = factor.pattern.view();
  comm::agree_on_errors(A.rows.comm(), [&] {
    bool const foreign = core::reduce(space, static_cast<std::size_t>(pattern.rows),
                                      ForeignPatternRow{pattern, factor.lower.view()}, core::Max{}, 0) != 0;
    TESSERA_VALIDATE(
        !foreign,
        "the loaded pattern of FSAI is not what was saved: it has columns that no row of this matrix "
        "reaches; compute the preconditioner again");
  });
}

template <class Space>
void refresh_factor(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor) {
  auto const& comm = A.rows.comm();
  comm::agree_on_errors(comm, [&] {
    TESSERA_VALIDATE(A.local.rows == factor.G.local.rows, "FSAI refresh got a matrix of ", A.local.rows,
                     " rows on rank ", comm.rank(), ", but the setup had ", factor.G.local.rows,
                     " (a refresh keeps the pattern); give a matrix of the same pattern");
  });
  check_matrix(space, A, factor.smallest_diagonal);
  factor.phases.clear();
  phase(space, A, factor, "ghost rows", [&] {
    if (factor.lower.is_set_up()) return factor.lower.refresh(space, A);
    rebuild_lower_matrix(space, A, factor);
  });
  auto value = solved_rows(space, A, factor);
  phase(space, A, factor, "postfilter", [&] {
    rescale(space, factor.lower.view(), factor.pattern.view(), factor.keep.view(), value.span());
  });
  phase(space, A, factor, "assembly", [&] { copy_kept_values(space, value.view(), factor); });
  factor.lower.release_rows();
}

/// 1 for rows with first <= entries <= last.
struct SizeInRangeBody {
  PatternView pattern;
  Offset first, last;
  TESSERA_HD Index operator()(Index r) const {
    return first <= pattern.size(r) && pattern.size(r) <= last ? 1 : 0;
  }
};

struct SizeBody {
  PatternView pattern;
  TESSERA_HD Index operator()(Index r) const { return pattern.size(r); }
};

/// Adds the figures of one factor to the report of the product. Collective.
template <class Space>
void add_to_report(Space const& space, Factor<Space> const& factor, Report& report) {
  auto const& comm = factor.G.rows.comm();
  auto const pattern = factor.pattern.view();
  report.factors += 1;
  report.pattern_nonzeros += comm.sum(static_cast<GlobalIndex>(pattern.column.size()));
  report.factor_nonzeros += comm::global_nonzeros(factor.G);
  auto const longest = core::reduce(space, pattern.rows, SizeBody{pattern}, core::Max{}, Index{0});
  report.largest_row = std::max(report.largest_row, static_cast<Index>(comm.max(GlobalIndex{longest})));
  auto const workspace = static_cast<std::size_t>(comm.max(static_cast<GlobalIndex>(factor.workspace)));
  report.peak_workspace = std::max(report.peak_workspace, workspace);
  auto& histogram = report.row_size_histogram;
  std::size_t bin = 0;
  for (Offset first = 1, last = 1; first <= report.largest_row; first = last + 1, last *= 2, ++bin) {
    if (bin == histogram.size()) histogram.push_back(0);
    histogram[bin] +=
        comm.sum(GlobalIndex{core::sum(space, pattern.rows, SizeInRangeBody{pattern, first, last})});
  }
  report.checksum += (report.checksum.empty() ? "" : "-") + comm::checksum(space, factor.G);
  for (auto const& [phase, seconds] : factor.phases) report.phases[phase] += comm.max(seconds);
}

}  // namespace Tessera::fsai
