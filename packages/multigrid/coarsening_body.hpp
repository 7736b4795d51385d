#pragma once
/// \file
/// Setup of one level, and its refresh.
#include <algorithm>
#include <cmath>

#include "aggregation/statistics.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "multigrid/coarsening.hpp"
#include "multigrid/row_ids.hpp"

namespace Tessera::multigrid {

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

template <class Space>
Coarsening<Space>::Coarsening(Space const& space, LevelInput<Space>& fine, Spectrum<Space>& spectrum,
                              Parameters const& parameters, core::PhaseTimes& times)
    : parameters_(parameters), level_(fine.level) {
  auto const& A = *fine.A;
  auto& strength = parameters_.strength;
  strength.equations = fine.equations;
  strength.drop_tolerance *= std::pow(parameters.drop_tolerance_scaling, level_);
  if (level_ > 0 && strength.scheme == aggregation::DropScheme::distance_laplacian) {
    strength.scheme = aggregation::DropScheme::classical;  // coarse nodes have no coordinates
  }
  aggregation::StrengthGraph<Space> graph;
  {
    core::PhaseTimer<Space> timer(space, times, "strength");
    graph = aggregation::strength(space, A, spectrum.diagonal.view(), fine.coordinates.view(), fine.dimension,
                                  strength);
    strong_ = std::move(graph.strong);
    auto const weak = core::sum(space, (strong_.size() + 7) / 8, WeakEntries{strong_.view()});
    filtered_ =
        parameters_.prolongator_damping != 0 && parameters_.filter.filtered && A.rows.comm().any(weak > 0);
    if (!filtered_) strong_ = {};
  }
  {
    core::PhaseTimer<Space> timer(space, times, "aggregation");
    aggregates_ = aggregation::aggregate(space, graph, fine.ids.view(), parameters_.aggregation);
    graph = {};  // as large as the matrix
  }
  auto const coarse_rows = aggregates() * fine.vectors;
  if (aggregates() == 0 || 10 * coarse_rows > 9 * A.rows.global_size()) {
    stall_ = core::message("coarsening stopped at level ", level_, ": its ", A.rows.global_size(),
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
      spectrum.filtered_diagonal = Array<double, Space>(space, A.local.rows);
      galerkin::filtered_diagonal(space, A, strong_.view(), parameters_.filter,
                                  spectrum.filtered_diagonal.span(), lumped_.span(),
                                  &spectrum.numbers->filtered_bound);
    } else {
      core::fill(space, lumped_.span(), 0);
    }
  }
  LevelNumbers found;
  {
    core::PhaseTimer<Space> timer(space, times, "eigenvalue");
    spectrum.estimate(space, fine, parameters);
    found = core::to_vector(space, Span<LevelNumbers const>(spectrum.numbers, 1)).front();
    spectrum.take(found, level_, parameters);
  }
  make_next(space, A, spectrum, found.omega, parameters_.prepare_refresh == RefreshPreparation::first,
            [&](char const* phase, auto const& work) {
              core::PhaseTimer<Space> timer(space, times, phase);
              work();
            });
  spectrum.filtered_diagonal = {};
}

template <class Space>
template <class Timed>
void Coarsening<Space>::make_next(Space const& space, comm::DistCsr<double, Space> const& A,
                                  Spectrum<Space> const& spectrum, galerkin::Damping omega, bool keep,
                                  Timed const& timed) {
  sparse::MergeShape const blocks{tentative_.equations, tentative_.vectors};
  timed("prolongator", [&] {
    P_ = galerkin::prolongator(space, A, filter_entries(), smoothed_by(spectrum), tentative_, omega,
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
void Coarsening<Space>::filter(Space const& space, comm::DistCsr<double, Space> const& A,
                               Spectrum<Space>& spectrum) const {
  if (!filtered_) return;
  spectrum.filtered_diagonal = Array<double, Space>(space, A.local.rows);
  galerkin::refresh_filtered_diagonal(space, A, strong_.view(), lumped_.view(),
                                      spectrum.filtered_diagonal.span(), &spectrum.numbers->filtered_bound);
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
  next.level = level_ + 1;
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
                                Spectrum<Space> const& spectrum, bool prepare,
                                core::PhaseClock<Space>& clock) {
  auto const omega = parameters_.prolongator_damping == 0 ? galerkin::Damping(0)
                                                          : galerkin::Damping::at(&spectrum.numbers->omega);
  auto const timed = [&](char const* phase, auto const& work) {
    clock.phase(phase);
    work();
  };
  if (prepare) return make_next(space, A, spectrum, omega, true, timed);
  timed("prolongator", [&] {
    if (P_.local.value.empty()) P_.local.value = Array<double, Space>(space, P_.local.column.size());
    galerkin::refresh_prolongator(space, A, filter_entries(), smoothed_by(spectrum), tentative_, omega,
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
  return aggregates_.aggregate.bytes() + aggregates_.ids.bytes() + strong_.bytes() + lumped_.bytes() +
         tentative_.aggregate.bytes() + tentative_.value.bytes() + tentative_.coarse_nullspace.bytes() +
         P_.bytes() + prolongator_plan_.bytes() + product_.bytes() + (moves_ ? moved_.bytes() : 0);
}

}  // namespace Tessera::multigrid
