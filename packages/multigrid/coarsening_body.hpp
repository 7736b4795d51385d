#pragma once
/// \file
/// Setup of one level, and its refresh.
#include <algorithm>
#include <cmath>

#include "aggregation/diagonal.hpp"
#include "aggregation/statistics.hpp"
#include "comm/checksum_body.hpp"
#include "comm/inspection.hpp"
#include "comm/lanczos.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "multigrid/coarsening.hpp"

namespace Tessera::multigrid {

/// A row's persistent name: its node's, and which of the node's rows it is.
struct RowIds {
  Span<VertexId const> node;
  int equations;
  Span<VertexId> row;
  TESSERA_HD void operator()(Index i) const { row[i] = node[i / equations] * equations + i % equations; }
};

/// A node's name from its first row's.
struct NodeIds {
  Span<VertexId const> row;
  int equations;
  Span<VertexId> node;
  TESSERA_HD void operator()(Index v) const {
    node[v] = row[static_cast<std::size_t>(v) * equations] / equations;
  }
};

/// How many of the entries from 8 w on are weak.
struct WeakEntries {
  Span<unsigned char const> strong;
  TESSERA_HD Offset operator()(Index w) const {
    Offset weak = 0;
    std::size_t const begin = std::size_t{8} * w, rest = strong.size() - begin;
    for (std::size_t k = begin; k < begin + (rest < 8 ? rest : 8); ++k) weak += strong[k] == 0 ? 1 : 0;
    return weak;
  }
};

/// Where nodes are rows, this is their ids' memory.
template <class Space>
Array<VertexId, Space> row_ids(Space const& space, Span<VertexId const> ids, int equations) {
  if (equations == 1) return Array<VertexId, Space>::borrowed(space, ids);
  Array<VertexId, Space> result(space, ids.size() * equations);
  core::for_each(space, result.size(), RowIds{ids, equations, result.span()});
  return result;
}

/// Estimates are no larger than the row sums allow.
TESSERA_HD inline double capped(comm::SpectralRadius const& radius) {
  return radius.bound < radius.estimate ? radius.bound : radius.estimate;
}

/// omega = damping / rho(D_F^-1 A_F).
struct DampingBody {
  comm::SpectralRadius const* radius;
  double damping;
  double* omega;
  TESSERA_HD void operator()(Index) const { *omega = damping / capped(*radius); }
};

/// `max_eigenvalue`, where it holds; else 0.
inline double given_radius(int level, Parameters const& parameters) {
  return level == 0 && parameters.max_eigenvalue > 0 ? parameters.max_eigenvalue : 0;
}

template <class Space>
void check_level(Space const& space, LevelToInspect<Space> const& level, Span<double const> diagonal,
                 comm::RowFindings const* found) {
  comm::RowFindings here;
  core::copy_bytes(space, found, Host{}, &here, sizeof here);
  comm::together(level.A.rows.comm(), [&] {
    try {
      if (!std::isfinite(here.bound)) aggregation::check_diagonal(space, level.A, diagonal);
    } catch (core::NumericalError const& error) {
      throw core::NumericalError(core::message("level ", level.level, ": ", error.what()));
    }
  });
}

template <class Space>
DiagonalBound<Space> inspect_level(Space const& space, LevelToInspect<Space> const& level, bool checked,
                                   LevelNumbers* numbers) {
  DiagonalBound<Space> result;
  result.diagonal = Array<double, Space>(space, level.A.local.rows);
  comm::inspect_into(space, level.A, result.diagonal.span(), &numbers->found);
  if (checked) check_level(space, level, result.diagonal.view(), &numbers->found);
  return result;
}

template <class Space>
void estimate_level(Space const& space, LevelToInspect<Space> const& level, Parameters const& parameters,
                    LevelNumbers* numbers, DiagonalBound<Space>& result) {
  auto const& A = level.A;
  auto const* const coarsening = level.coarsening;
  auto const names = row_ids(space, level.ids, level.equations);
  bool const filtered = coarsening != nullptr && coarsening->filtered();
  bool const damped = parameters.prolongator_damping != 0;
  if (filtered && result.filtered_diagonal.empty())
    result.filtered_diagonal = coarsening->filtered_diagonal(space, A);
  comm::RadiiOnSpace radii{&numbers->found.bound, &numbers->of_A};
  if (filtered && damped) radii.of_filtered = &numbers->of_filtered;
  comm::spectral_radii_into(space, A, result.diagonal.view(), result.filtered_diagonal.view(),
                            filtered ? coarsening->filter() : comm::Filter{}, names.view(),
                            parameters.eigenvalue_steps, {parameters.cycle_in_float, level.stored}, radii);
  if (coarsening == nullptr) return;
  auto const given = filtered ? 0 : given_radius(level.level, parameters);
  if (!damped || given > 0) {
    core::fill(space, Span<double>(&numbers->omega, 1), damped ? parameters.prolongator_damping / given : 0);
  } else {
    core::for_each(space, 1,
                   DampingBody{filtered ? &numbers->of_filtered : &numbers->of_A,
                               parameters.prolongator_damping, &numbers->omega});
  }
}

template <class Space>
void take_numbers(comm::Communicator const& comm, int level, Parameters const& parameters,
                  LevelNumbers const& numbers, DiagonalBound<Space>& result) {
  if (!usable(numbers))
    throw core::NumericalError(core::message("level ", level, ": the spectral radius of D^-1 A cannot be ",
                                             "estimated (Lanczos met a number that is not finite); ",
                                             "use a symmetric positive definite matrix"));
  auto const& radius = numbers.of_A;
  result.checksum = comm::checksum_text(comm, numbers.found.hash);
  result.estimate = capped(radius);
  result.rho = std::min(radius.estimate * parameters.eigenvalue_safety, radius.bound);
  if (auto const given = given_radius(level, parameters); given > 0) result.rho = result.estimate = given;
}

template <class Space>
double estimate_level(Space const& space, LevelToInspect<Space> const& level, Parameters const& parameters,
                      DiagonalBound<Space>& result) {
  estimate_level(space, level, parameters, result.numbers.data(), result);
  auto const numbers = core::to_vector(space, result.numbers.view()).front();
  take_numbers(level.A.rows.comm(), level.level, parameters, numbers, result);
  return numbers.omega;
}

template <class Space>
Coarsening<Space>::Coarsening(Space const& space, LevelInput<Space>& fine, DiagonalBound<Space>& bound,
                              int level, Parameters const& parameters, core::PhaseTimes& times)
    : parameters_(parameters) {
  auto const& A = *fine.A;
  auto& strength = parameters_.strength;
  strength.equations = fine.equations;
  strength.drop_tolerance *= std::pow(parameters.drop_tolerance_scaling, level);
  if (level > 0 && strength.scheme == aggregation::DropScheme::distance_laplacian) {
    strength.scheme = aggregation::DropScheme::classical;  // coarse nodes have no coordinates
  }
  row_ids_ = row_ids(space, fine.ids.view(), fine.equations);
  aggregation::StrengthGraph<Space> graph;
  {
    core::PhaseTimer<Space> timer(space, times, "strength");
    graph = aggregation::strength(space, A, bound.diagonal.view(), fine.coordinates.view(), fine.dimension,
                                  strength);
    strong_ = std::move(graph.strong);
    auto const weak = core::sum(space, (strong_.size() + 7) / 8, WeakEntries{strong_.view()});
    filtered_ = parameters_.filter.filtered && A.rows.comm().any(weak > 0);
    if (!filtered_) strong_ = {};
  }
  {
    core::PhaseTimer<Space> timer(space, times, "aggregation");
    aggregates_ = aggregation::aggregate(space, graph, fine.ids.view(), parameters_.aggregation);
    graph = {};  // as large as the matrix
  }
  auto const coarse_rows = aggregates() * fine.vectors;
  if (aggregates() == 0 || 10 * coarse_rows > 9 * A.rows.global_size()) {
    stall_ = core::message("coarsening stopped at level ", level, ": its ", A.rows.global_size(),
                           " rows would become ", coarse_rows, " (", aggregates(), " aggregates of ",
                           fine.vectors, " columns)");
    return;
  }
  {
    core::PhaseTimer<Space> timer(space, times, "prolongator");
    tentative_ = galerkin::tentative_prolongator(space, aggregates_, fine.nullspace.view(), fine.equations,
                                                 fine.vectors);
    fine.nullspace = {};
    aggregates_.aggregate = Array<GlobalIndex, Space>::borrowed(space, tentative_.aggregate.view());
    lumped_ = Array<unsigned char, Space>(space, A.local.rows);
    if (filtered_) {
      bound.filtered_diagonal = Array<double, Space>(space, A.local.rows);
      galerkin::filtered_diagonal(space, A, strong_.view(), parameters_.filter,
                                  bound.filtered_diagonal.span(), lumped_.span());
    } else {
      core::fill(space, lumped_.span(), 0);
    }
  }
  double omega = 0;
  {
    core::PhaseTimer<Space> timer(space, times, "eigenvalue");
    omega =
        estimate_level<Space>(space, {A, fine.ids.view(), fine.equations, level, this}, parameters, bound);
  }
  make_next(space, A, bound, omega, parameters_.prepare_refresh == RefreshPreparation::first,
            [&](char const* phase, auto const& work) {
              core::PhaseTimer<Space> timer(space, times, phase);
              work();
            });
  bound.filtered_diagonal = {};
}

template <class Space>
template <class Timed>
void Coarsening<Space>::make_next(Space const& space, comm::DistCsr<double, Space> const& A,
                                  DiagonalBound<Space> const& bound, galerkin::Damping omega, bool keep,
                                  Timed const& timed) {
  sparse::MergeShape const blocks{tentative_.equations, tentative_.vectors};
  timed("prolongator", [&] {
    auto const smoothed_by = filtered_ ? bound.filtered_diagonal.view() : bound.diagonal.view();
    P_ = galerkin::prolongator(space, A, filter_entries(), smoothed_by, tentative_, omega,
                               keep ? &prolongator_plan_ : nullptr);
  });
  timed("galerkin", [&] {
    product_ = galerkin::TripleProduct<Space>(space, A, P_, parameters_.spgemm, blocks, keep);
    auto const& comm = A.rows.comm();
    auto const ranks = active_ranks(A.rows);
    auto const coarse_rows = P_.columns().global_size();
    if (ranks > 1 && coarse_rows < static_cast<GlobalIndex>(parameters_.rows_per_rank) * ranks) {
      auto const wanted = std::max<GlobalIndex>(1, coarse_rows / parameters_.rows_per_rank);
      auto const group = static_cast<int>((comm.size() + wanted - 1) / wanted);
      if (!moves_) moves_.emplace(space, product_.coarse().rows, group);
      moved_ = moves_->matrix(space, product_.coarse());
    }
  });
  prepared_ = keep;
}

template <class Space>
Array<double, Space> Coarsening<Space>::filtered_diagonal(Space const& space,
                                                          comm::DistCsr<double, Space> const& A) const {
  Array<double, Space> diagonal(space, A.local.rows);
  galerkin::refresh_filtered_diagonal(space, A, strong_.view(), lumped_.view(), diagonal.span());
  return diagonal;
}

template <class Space>
void give_back(sparse::Csr<double, Space>& matrix, bool pattern, bool values) {
  if (values) matrix.value = {};
  if (!pattern) return;
  matrix.offsets = {};
  matrix.column = {};
}

template <class Space>
void Coarsening<Space>::return_transfer(Borrowed of_P, Borrowed of_R) {
  give_back(P_.local, !prepared_ && !of_P.pattern, !of_P.values);
  give_back(product_.restriction().matrix, !prepared_ && !of_R.pattern, !of_R.values);
}

template <class Space>
void Coarsening<Space>::return_coarse() {
  give_back(product_.coarse().local, !prepared_, true);
  give_back(moved_.local, !prepared_, true);
}

template <class Space>
LevelInput<Space> Coarsening<Space>::coarse(Space const& space) const {
  LevelInput<Space> next;
  next.A = &coarse_matrix();
  next.equations = next.vectors = tentative_.vectors;
  auto const& B = tentative_.coarse_nullspace;
  if (!moves_) {
    next.ids = core::copied(space, aggregates_.ids.view(), space);
    next.nullspace = core::copied(space, B.view(), space);
    return next;
  }
  auto const rows = moves_->to().local_size();
  next.nullspace = Array<double, Space>(space, static_cast<std::size_t>(rows) * next.vectors);
  moves_->forward(space, B.view(), next.nullspace.span(), next.vectors);
  // Ids travel as rows do: one for each column of the aggregate, of which the first is kept.
  auto const ids_by_row = row_ids(space, aggregates_.ids.view(), next.equations);
  Array<VertexId, Space> moved(space, rows);
  moves_->forward(space, ids_by_row.view(), moved.span());
  next.ids = Array<VertexId, Space>(space, rows / next.equations);
  core::for_each(space, next.ids.size(), NodeIds{moved.view(), next.equations, next.ids.span()});
  return next;
}

template <class Space>
void Coarsening<Space>::refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                DiagonalBound<Space> const& bound, double const* omega, bool prepare,
                                core::PhaseClock<Space>& clock) {
  auto const damping =
      parameters_.prolongator_damping == 0 ? galerkin::Damping(0) : galerkin::Damping::at(omega);
  auto const timed = [&](char const* phase, auto const& work) {
    clock.phase(phase);
    work();
  };
  if (prepare) return make_next(space, A, bound, damping, true, timed);
  timed("prolongator", [&] {
    auto const smoothed_by = filtered_ ? bound.filtered_diagonal.view() : bound.diagonal.view();
    if (P_.local.value.empty()) P_.local.value = Array<double, Space>(space, P_.local.column.size());
    galerkin::refresh_prolongator(space, A, filter_entries(), smoothed_by, tentative_, damping,
                                  prolongator_plan_, P_);
  });
  timed("galerkin", [&] {
    product_.refresh(space, A, P_);
    if (!moves_) return;
    moved_.local.value = Array<double, Space>(space, moved_.local.column.size());
    moves_->refresh(space, product_.coarse(), moved_);
  });
}

template <class Space>
std::size_t Coarsening<Space>::bytes() const {
  return row_ids_.bytes() + aggregates_.aggregate.bytes() + aggregates_.ids.bytes() + strong_.bytes() +
         lumped_.bytes() + tentative_.aggregate.bytes() + tentative_.value.bytes() +
         tentative_.coarse_nullspace.bytes() + P_.bytes() + prolongator_plan_.bytes() + product_.bytes() +
         (moves_ ? moved_.bytes() : 0);
}

}  // namespace Tessera::multigrid
