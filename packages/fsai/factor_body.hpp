#pragma once
/// \file
/// Algorithm 3.1.
#include "comm/communicator.hpp"
#include "core/out_of_memory.hpp"
#include "fsai/adaptive_body.hpp"
#include "fsai/assembly_body.hpp"
#include "fsai/checks_body.hpp"
#include "fsai/cut_rows.hpp"
#include "fsai/factor.hpp"
#include "fsai/pattern.hpp"
#include "fsai/postfilter.hpp"

namespace Tessera::fsai {

/// Runs work; what it throws for want of memory says where.
template <class Work>
void named(char const* where, Work const& work) {
  core::name_out_of_memory([where] { return where; }, work);
}

/// A phase of a setup: work, with its time, and its errors on all ranks.
template <class Space, class Work>
void phase(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor, char const* name,
           Work const& work) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    named(name, [&] {
      core::PhaseTimer<Space> timer(space, factor.phases, name);
      work();
    });
  });
}

template <class Space>
Complaint complaint_of(comm::DistCsr<double, Space> const& A, RowFailure const& failure) {
  if (failure.row < 0) return {};
  return {
      failure.row,
      core::message("row ", A.row_name(failure.row), ": the matrix is not positive definite there (pivot ",
                    failure.pivot, " in the dense system of its pattern, which rounding errors cannot ",
                    "explain); FSAI needs a symmetric positive definite matrix, or a semidefinite one")};
}

/// The static pattern, whose rows may be cut.
template <class Space>
void find_pattern(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor) {
  auto const& p = factor.parameters;
  auto const rows = factor.lower.view();
  Array<unsigned char, Space> cut(space, A.local.rows);
  phase(space, A, factor, "pattern", [&] {
    auto const filtered = prefiltered(space, rows, p.prefilter);
    auto const search = [&](Index most) {
      factor.row_bound = most;
      factor.pattern = {};
      factor.pattern = static_pattern(space, filtered.view(), rows.own, {p.pattern_level, most}, cut.span());
      factor.cut_rows =
          A.rows.comm().sum(GlobalIndex{core::sum(space, A.local.rows, IsActiveBody{cut.view()})});
    };
    search(p.max_row_size > 0 ? p.max_row_size : uncut_row_size);
    if (p.max_row_size > 0 || factor.cut_rows == 0) return;
    search(bound_of_rows(space, A.rows, filtered.view(), rows.own, p.pattern_level));
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
  throw_first<core::NumericalError>(A.rows, complaint_of(A, failure));
}

/// On the pattern, before the postfilter.
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
  throw_first<core::NumericalError>(A.rows, complaint_of(A, failure));
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
    throw_first<core::NumericalError>(A.rows, complaint_of(A, failure));
  }
  auto const pattern = factor.pattern.view();
  Array<Index, Space> kept(space, pattern.rows);
  phase(space, A, factor, "postfilter", [&] {
    factor.keep = Array<unsigned char, Space>(space, pattern.column.size());
    postfilter(space, factor.lower.view(), pattern, parameters.postfilter, parameters.postfilter_norm,
               value.span(), factor.keep.span(), kept.span());
  });
  phase(space, A, factor, "assembly", [&] { assemble(space, A, value.view(), kept.view(), factor); });
  factor.lower.return_rows();
}

template <class Space>
void refresh_factor(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor) {
  auto const& comm = A.rows.comm();
  comm::agree_on_errors(comm, [&] {
    TESSERA_VALIDATE(A.local.rows == factor.G.local.rows, "refresh with a matrix of ", A.local.rows,
                     " rows on rank ", comm.rank(), " where FSAI was set up with ", factor.G.local.rows,
                     "; give a matrix of the same pattern");
  });
  check_matrix(space, A, factor.smallest_diagonal);
  factor.phases.clear();
  phase(space, A, factor, "ghost rows", [&] {
    if (factor.lower.is_made()) return factor.lower.refresh(space, A);
    factor.lower = LowerMatrix<Space>(space, A, factor.parameters, factor.halved);  // it was loaded
  });
  auto value = solved_rows(space, A, factor);
  phase(space, A, factor, "postfilter", [&] {
    rescale(space, factor.lower.view(), factor.pattern.view(), factor.keep.view(), value.span());
  });
  phase(space, A, factor, "assembly", [&] { take_values(space, value.view(), factor); });
  factor.lower.return_rows();
}

}  // namespace Tessera::fsai
