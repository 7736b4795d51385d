#pragma once
/// \file
/// The one place where a coarsening is chosen: what P comes from, besides the aggregates. Each kind has
///
///     take_nullspace(space, fine, B)  once, before the rest; B is given back unless it is kept
///     make(space, fine, T, keep)      P; keep: refresh will find its pattern and slots
///     refresh(space, fine, T, P)      new values of the fine matrix, bitwise what make would give
///     is_plain()                      whether P = T, or has one entry a row
///     make_plain(entries)             so it is from now on, since R A P would have so many entries
///     why_plain()                     why P is plain though it was not to be; or empty
///     bytes()                         that it holds between refreshes
///     by_aggregates                   whether P = T always, so that transfers go by the aggregates
///                                     (transfer.hpp); where T has one column an aggregate, P is not made
///
///     archive(file, space, fine, T)   saves what was decided, or fills a new one (core/archive.hpp)
///
/// Strength, aggregates, T, Galerkin products and moves to fewer ranks are shared (coarsening.hpp).
#include <variant>

#include "multigrid/coarsening/classical.hpp"
#include "multigrid/coarsening/root_nodes.hpp"
#include "multigrid/coarsening/smoothed.hpp"
#include "multigrid/coarsening/unsmoothed.hpp"

namespace Tessera::multigrid {

template <class Space>
using Prolongation = std::variant<Unsmoothed<Space>, Smoothed<Space>, RootNodes<Space>, Classical<Space>>;

inline bool has_root_nodes(Parameters const& parameters) {
  return parameters.coarsening == CoarseningType::root_nodes;
}

/// Whether P = T.
inline bool is_unsmoothed(Parameters const& parameters) {
  return parameters.coarsening == CoarseningType::unsmoothed ||
         (parameters.prolongator_damping == 0 && !is_classical(parameters));
}

/// Whether P is smoothed by the filtered matrix.
inline bool is_smoothed_by_strong(Parameters const& parameters) {
  return parameters.coarsening == CoarseningType::smoothed && !is_unsmoothed(parameters) &&
         parameters.filter.filtered;
}

/// Whether a near-nullspace of ones is one on all levels.
inline bool keeps_ones(Parameters const& parameters) {
  return has_root_nodes(parameters) || is_classical(parameters) ||
         (is_unsmoothed(parameters) && !parameters.normalise_constant);
}

/// One that archive() fills.
template <class Space>
Prolongation<Space> unfilled_prolongation(Space const& space, int level, Parameters const& parameters) {
  if (is_unsmoothed(parameters)) return Unsmoothed<Space>();
  if (has_root_nodes(parameters)) return RootNodes<Space>(parameters);
  if (is_classical(parameters)) return Classical<Space>(parameters);
  return Smoothed<Space>(space, level, parameters);
}

/// graph: of the fine matrix. Collective.
template <class Space>
Prolongation<Space> chosen_prolongation(Space const& space, LevelFacts<Space> const& fine,
                                        aggregation::StrengthGraph<Space> graph,
                                        aggregation::Aggregates<Space> const& aggregates,
                                        Parameters const& parameters) {
  if (is_unsmoothed(parameters)) return Unsmoothed<Space>();
  if (has_root_nodes(parameters))
    return RootNodes<Space>(space, fine, std::move(graph), aggregates, parameters);
  return Smoothed<Space>(space, fine, std::move(graph.strong), parameters);
}

}  // namespace Tessera::multigrid
