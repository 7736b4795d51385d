#pragma once
/// \file
/// Algorithm 3.1.
#include "comm/communicator.hpp"
#include "core/out_of_memory.hpp"
#include "fsai/adaptive_body.hpp"
#include "fsai/assembly_body.hpp"
#include "fsai/checks_body.hpp"
#include "fsai/factor.hpp"
#include "fsai/pattern.hpp"
#include "fsai/postfilter.hpp"

namespace Tessera::fsai {

/// Runs work; what it throws for want of memory says where.
template <class Work>
void named(char const* where, Work const& work) {
  core::name_out_of_memory([where] { return where; }, work);
}

/// The same with work that does not communicate.
template <class Work>
void step(comm::Communicator const& comm, char const* where, Work const& work) {
  comm::agree_on_errors(comm, [&] { named(where, work); });
}

template <class Space>
Complaint complaint_of(comm::DistCsr<double, Space> const& A, RowFailure const& failure) {
  if (failure.row < 0) return {};
  return {failure.row, core::message("row ", A.row_name(failure.row),
                                     ": the matrix is not positive definite there (pivot ", failure.pivot,
                                     " in the dense system of its pattern); FSAI needs a symmetric positive ",
                                     "definite matrix")};
}

template <class Space>
Complaint complaint_of(comm::DistCsr<double, Space> const& A, RowTooLong const& failure,
                       Parameters const& p) {
  auto const raise = p.max_row_size < largest_row
                         ? core::message(", or raise the bound, to at most ", largest_row)
                         : std::string();
  return {
      failure.row,
      core::message("row ", A.row_name(failure.row), " of the pattern of G has ", failure.size,
                    " entries, more than `fsai: max row size` ", p.max_row_size,
                    " (its dense system would be as large); lower `fsai: pattern level` (", p.pattern_level,
                    ") or raise `fsai: prefilter tolerance` (", p.prefilter, ")", raise)};
}

/// Pattern and values before the postfilter.
template <class Space>
Solved<Space> solved_rows(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor) {
  auto const& comm = A.rows.comm();
  auto const& parameters = factor.parameters;
  auto const rows = factor.lower.view();
  Solved<Space> solved;
  Complaint too_long;
  step(comm, "pattern", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "pattern");
    auto const filtered = prefiltered(space, rows, parameters.prefilter);
    try {
      solved.pattern = static_pattern(space, filtered.view(), rows.own, parameters);
    } catch (RowTooLong const& failure) {
      too_long = complaint_of(A, failure, parameters);
    }
  });
  throw_first<core::InvalidInput>(A.rows, too_long);
  step(comm, "dense systems", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "dense systems");
    solved.value = Array<double, Space>(space, solved.pattern.column.size());
    solved.failure =
        solve_rows(space, rows, solved.pattern.view(), solved.value.span(), parameters.workspace);
  });
  throw_first<core::NumericalError>(A.rows, complaint_of(A, solved.failure));
  if (parameters.adaptive_steps == 0) return solved;
  step(comm, "adaptive pattern", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "adaptive pattern");
    Array<unsigned char, Space> active(space, A.local.rows);
    core::fill(space, active.span(), static_cast<unsigned char>(1));
    for (int s = 0; s < parameters.adaptive_steps && grow(space, rows, parameters, active.span(), solved);
         ++s) {
    }
  });
  throw_first<core::NumericalError>(A.rows, complaint_of(A, solved.failure));
  return solved;
}

template <class Space>
void make_factor(Space const& space, comm::DistCsr<double, Space> const& A, Factor<Space>& factor) {
  auto const& comm = A.rows.comm();
  comm::agree_on_errors(comm, [&] {
    validate(factor.parameters);
    TESSERA_VALIDATE(A.rows.global_size() == A.columns().global_size(), "the matrix is ",
                     A.rows.global_size(), " x ", A.columns().global_size(),
                     ", but only square matrices can be preconditioned");
  });
  check_matrix(space, A, factor.smallest_diagonal);
  named("ghost rows", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "ghost rows");
    factor.lower = LowerMatrix<Space>(space, A, factor.parameters, factor.halved);
  });
  auto solved = solved_rows(space, A, factor);
  factor.workspace = solved.failure.workspace;
  factor.pattern = std::move(solved.pattern);
  auto const pattern = factor.pattern.view();
  Array<Index, Space> kept(space, pattern.rows);
  step(comm, "postfilter", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "postfilter");
    factor.keep = Array<unsigned char, Space>(space, pattern.column.size());
    postfilter(space, factor.lower.view(), pattern, factor.parameters.postfilter,
               factor.parameters.postfilter_norm, solved.value.span(), factor.keep.span(), kept.span());
  });
  named("assembly", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "assembly");
    assemble(space, A, solved.value.view(), kept.view(), factor);
  });
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
  named("ghost rows", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "ghost rows");
    factor.lower.refresh(space, A);
  });
  auto const rows = factor.lower.view();
  auto const pattern = factor.pattern.view();
  Array<double, Space> value;
  RowFailure failure;
  step(comm, "dense systems", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "dense systems");
    value = Array<double, Space>(space, pattern.column.size());
    failure = solve_rows(space, rows, pattern, value.span(), factor.parameters.workspace);
    factor.workspace = failure.workspace;
  });
  throw_first<core::NumericalError>(A.rows, complaint_of(A, failure));
  step(comm, "postfilter", [&] {
    core::PhaseTimer<Space> timer(space, factor.phases, "postfilter");
    rescale(space, rows, pattern, factor.keep.view(), value.span());
  });
  core::PhaseTimer<Space> timer(space, factor.phases, "assembly");
  take_values(space, value.view(), factor);
  factor.lower.return_rows();
}

}  // namespace Tessera::fsai
