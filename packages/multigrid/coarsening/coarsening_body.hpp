#pragma once
/// \file
/// The parts that all coarsenings share: strength, aggregates, T, Galerkin products, moves to fewer ranks.
#include <algorithm>
#include <cmath>
#include <optional>

#include "aggregation/aggregates.hpp"
#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "multigrid/coarsening/aggregation_passes.hpp"
#include "multigrid/coarsening/coarsening.hpp"
#include "multigrid/node_data.hpp"

namespace Tessera::multigrid {

/// Strength parameters of a level. The tolerance depends on the level. Levels below the finest have no
/// coordinates, and no row sums if several near-nullspace vectors make nodes of several unknowns. Matchings
/// have graphs of their own.
inline aggregation::StrengthParameters strength_parameters(Parameters const& parameters, int equations,
                                                           int level) {
  auto strength = parameters.strength;
  strength.equations = equations;
  strength.drop_tolerance = parameters.drop_tolerance_on(level);
  strength.edges = parameters.aggregation.scheme != aggregation::AggregationScheme::matching ||
                   parameters.aggregation.reshaping_steps > 0;
  if (level > 0 && strength.scheme == aggregation::DropScheme::distance_laplacian)
    strength.scheme = aggregation::DropScheme::classical;
  if (level > 0 && equations > 1) strength.row_sum_tolerance = -1;
  return strength;
}

/// A level with fewer rows per rank moves to fewer ranks. Uncoupled aggregates depend on the distribution of
/// rows, so all spaces then have the same default.
template <class Space>
GlobalIndex min_rows_per_rank(Parameters const& parameters) {
  constexpr int here = core::SpaceTraits<Space>::min_rows_per_rank;
  constexpr int anywhere =
      std::min(core::SpaceTraits<Host>::min_rows_per_rank, core::SpaceTraits<Cuda>::min_rows_per_rank);
  if (parameters.rows_per_rank >= 0) return parameters.rows_per_rank;
  return parameters.strength.coupled ? here : anywhere;
}

/// The one place that chooses how to aggregate. May reduce graph.strong. Collective.
template <class Space>
aggregation::Aggregates<Space> aggregates(Space const& space, LevelFacts<Space> const& fine,
                                          aggregation::StrengthGraph<Space>& graph,
                                          Parameters const& parameters) {
  auto const& how = parameters.aggregation;
  switch (how.scheme) {
    case aggregation::AggregationScheme::paa:
      return paa_passes(space, graph, fine.ids.view(), how,
                        fine.level < how.aggressive_levels ? how.passes : 1, how.skip_ratio,
                        aggregation::Isolated::left_out);
    case aggregation::AggregationScheme::matching: {
      std::optional<Span<unsigned char>> strong;
      if (is_smoothed_by_strong(parameters)) strong = graph.strong.span();
      auto rules = how.matching;
      rules.drop_tolerance = strength_parameters(parameters, fine.equations, fine.level).drop_tolerance;
      return matched_aggregates(space, fine, fine.level == 0 ? how.matchings : how.coarse_matchings,
                                how.coarse_matchings, parameters.strength.coupled, rules, strong);
    }
    case aggregation::AggregationScheme::mis2:
      break;
  }
  return aggregation::aggregate(space, graph, fine.ids.view(), how);
}

/// Strength and aggregates. Collective.
template <class Space, class Timed>
Aggregation<Space> aggregate(Space const& space, LevelFacts<Space> const& fine, Parameters const& parameters,
                             Timed const& timed) {
  if (is_classical(parameters)) return split<Aggregation<Space>>(space, fine, parameters, timed);
  Aggregation<Space> found;
  aggregation::StrengthGraph<Space> graph;
  timed("strength", [&] {
    graph = aggregation::strength(space, *fine.A, fine.diagonal.view(),
                                  {fine.coordinates.view(), fine.dimension, fine.resistance.view()},
                                  strength_parameters(parameters, fine.equations, fine.level));
  });
  timed("aggregation", [&] {
    found.aggregates = aggregates(space, fine, graph, parameters);
    aggregation::reshape(space, graph, fine.ids.view(), parameters.aggregation.reshaping_steps,
                         found.aggregates);
    found.prolongation = make_prolongation(space, fine, std::move(graph), found.aggregates, parameters);
  });
  return found;
}

/// Why these aggregates do not make a level; empty if they do.
template <class Space>
std::string stall_reason(LevelFacts<Space> const& fine, Aggregation<Space> const& found) {
  auto const rows = fine.A->rows.global_size(), aggregates = found.aggregates.coarse.global_size();
  auto const coarse_rows = aggregates * fine.vectors;
  if (aggregates > 0 && 10 * coarse_rows <= 9 * rows) return "";
  return core::message("coarsening stopped at level ", fine.level, ": its ", rows, " rows would become ",
                       coarse_rows, " (", aggregates, " aggregates of ", fine.vectors, " columns)");
}

template <class Space>
template <class Timed>
Coarsening<Space>::Coarsening(Space const& space, LevelFacts<Space> const& fine,
                              Array<double, Space> nullspace, Aggregation<Space> found,
                              Parameters const& parameters, Timed const& timed)
    : prolongation_(std::move(found.prolongation)), aggregates_(std::move(found.aggregates)) {
  aggregates_.on_one_rank = fine.A->rows.on_one_rank_with(aggregates_.coarse);
  timed("prolongator", [&] {
    tentative_ = fine.ones ? galerkin::indicator(aggregates_.coarse, std::move(aggregates_.aggregate))
                 : is_classical(parameters)
                     ? injection(space, aggregates_, nullspace.view())
                     : galerkin::tentative_prolongator(space, aggregates_, nullspace.view(), fine.equations,
                                                       fine.vectors);
    tentative_.on_one_rank = aggregates_.on_one_rank;
    std::visit([&](auto& kind) { kind.take_nullspace(space, fine, std::move(nullspace)); }, prolongation_);
    aggregates_.aggregate = Array<GlobalIndex, Space>::borrowed(space, tentative_.aggregate.view());
  });
  auto& R = tentative_.coarse_nullspace;
  make(space, fine, parameters,
       {parameters.prepare_refresh == RefreshPreparation::first, fine.room, R.empty() ? nullptr : R.data()},
       timed);
}

/// Moves the scale to the ranks of the moved matrix.
template <class Space>
void Coarsening<Space>::move_scale(Space const& space) {
  operators.moved_scale = Array<double, Space>(space, operators.move->to().local_size());
  operators.move->forward(space, operators.unmoved_scale.view(), operators.moved_scale.span());
}

template <class Space>
template <class Timed>
void Coarsening<Space>::make_prolongator(Space const& space, LevelFacts<Space> const& fine,
                                         MakeOptions const& how, Timed const& timed) {
  timed("prolongator", [&] {
    map_aggregates(space);
    if (!in_pairs())
      operators.P =
          std::visit([&](auto& kind) { return kind.make(space, fine, tentative_, how.keep); }, prolongation_);
  });
}

/// A coarse matrix with P = T has at most as many entries as the fine one, unless aggregates have more
/// columns than nodes have rows.
template <class Space>
template <class Timed>
void Coarsening<Space>::multiply(Space const& space, LevelFacts<Space> const& fine,
                                 Parameters const& parameters, MakeOptions const& how, Timed const& timed) {
  timed("galerkin", [&] {
    if (in_pairs())
      return void(operators.pairs.emplace(space, *fine.A, tentative_, *operators.aggregates, how.keep,
                                          nullptr, scales(fine, how.nullspace)));
    bool const plain = std::visit([](auto const& kind) { return kind.is_plain(); }, prolongation_);
    double const most = plain && tentative_.vectors <= tentative_.equations ? HUGE_VAL : how.room;
    operators.product = galerkin::TripleProduct<Space>(space, *fine.A, operators.P, parameters.spgemm,
                                                       {tentative_.equations, tentative_.vectors}, how.keep,
                                                       scales(fine, how.nullspace), most, fine.half);
  });
}

/// A loaded move stays, even if this space would choose another one.
template <class Space>
void Coarsening<Space>::move_to_fewer_ranks(Space const& space, comm::Distribution const& rows,
                                            Parameters const& parameters) {
  if (!operators.move) {
    auto const ranks = rows.active_ranks();
    auto const coarse_rows = tentative_.coarse_rows.global_size();
    auto const least = min_rows_per_rank<Space>(parameters);
    if (ranks <= 1 || coarse_rows >= least * ranks) return;
    auto const wanted = std::max<GlobalIndex>(1, coarse_rows / least);
    auto const group = static_cast<int>((rows.comm().size() + wanted - 1) / wanted);
    operators.move.emplace(space, operators.unmoved().rows, group);
  }
  operators.moved = operators.move->matrix(space, operators.unmoved());
  move_scale(space);
}

template <class Space>
template <class Timed>
void Coarsening<Space>::make(Space const& space, LevelFacts<Space> const& fine, Parameters const& parameters,
                             MakeOptions const& how, Timed const& timed) {
  make_prolongator(space, fine, how, timed);
  multiply(space, fine, parameters, how, timed);
  if (too_many() > 0 && !std::visit([](auto const& kind) { return kind.is_plain(); }, prolongation_)) {
    std::visit([this](auto& kind) { kind.make_plain(too_many()); }, prolongation_);
    make_prolongator(space, fine, how, timed);
    multiply(space, fine, parameters, how, timed);
  }
  operators.prepared = how.keep;
  if (too_many() > 0) return;
  timed("galerkin", [&] { move_to_fewer_ranks(space, fine.A->rows, parameters); });
}

/// Decisions only. The next refresh recomputes the map, the plans and all of `operators` except the move.
template <class Space>
void Coarsening<Space>::archive(core::Archive& file, Space const& space, LevelFacts<Space> const& fine,
                                Parameters const& parameters) {
  auto& [operators, prolongation, aggregates, tentative] = *this;
  auto& [map, pairs, P, product, move, moved, unmoved_scale, moved_scale, prepared] = operators;
  auto const& comm = fine.A->rows.comm();
  if (!file.saves()) prolongation = empty_prolongation(space, fine.level, parameters);
  file.part(core::message("the aggregates of level ", fine.level));
  tentative.archive(file, space, fine.A->rows, fine.equations, fine.vectors, fine.ones);
  aggregates.archive(file, space, fine.A->rows);
  auto const own = aggregates.coarse.local_size();
  file.require(own == tentative.coarse_rows.local_size() / tentative.vectors, "there are ", own,
               " names of aggregates where there should be ",
               tentative.coarse_rows.local_size() / tentative.vectors);
  auto const& T = tentative;
  std::visit([&](auto& kind) { kind.archive(file, space, fine, T); }, prolongation);
  int group = move ? move->group() : 0;
  file(group);
  comm::require_same_on_ranks(file, comm, group);
  file.require(group >= 0 && group <= comm.size(), "rows go to each ", group, "-th of ", comm.size(),
               " ranks");
  if (file.saves()) return;
  aggregates.aggregate = Array<GlobalIndex, Space>::borrowed(space, tentative.aggregate.view());
  map_aggregates(space);
  if (in_pairs()) pairs.emplace();  // so that the address of the coarse matrix is final
  if (group > 0) move.emplace(space, tentative.coarse_rows, group);
}

template <class Space>
template <class Timed>
void Coarsening<Space>::refresh(Space const& space, LevelFacts<Space> const& fine,
                                Parameters const& parameters, bool prepare, Timed const& timed) {
  if (prepare) return make(space, fine, parameters, {true, HUGE_VAL, nullptr}, timed);
  timed("prolongator", [&] {
    if (operators.pairs) return;
    restore_values(space, operators.P.local);
    std::visit([&](auto& kind) { kind.refresh(space, fine, tentative_, operators.P); }, prolongation_);
  });
  timed("galerkin", [&] {
    if (operators.pairs) {
      operators.pairs->refresh(space, *fine.A, tentative_, *operators.aggregates, scales(fine, nullptr));
    } else {
      operators.product.refresh(space, *fine.A, operators.P, scales(fine, nullptr));
    }
    if (!operators.move) return;
    restore_values(space, operators.moved.local);
    operators.move->refresh(space, operators.unmoved(), operators.moved);
    move_scale(space);
  });
}

/// A node's id from its first row's.
struct NodeIds {
  Span<VertexId const> row;
  int equations;
  Span<VertexId> node;
  TESSERA_HD void operator()(Index v) const {
    node[v] = row[static_cast<std::size_t>(v) * equations] / equations;
  }
};

template <class Space>
LevelFacts<Space> Coarsening<Space>::next(Space const& space, int level) const {
  LevelFacts<Space> next;
  next.A = &operators.coarse();
  next.scale = &operators.scale();
  next.level = level;
  next.equations = next.vectors = tentative_.vectors;
  next.ones = next.constant = tentative_.indicator;
  auto const& B = tentative_.coarse_nullspace;
  if (!operators.move) {
    next.ids = core::copied(space, aggregates_.ids.view(), space);
    next.nullspace = core::copied(space, B.view(), space);
    return next;
  }
  auto const rows = operators.move->to().local_size();
  // The move is one of rows, so it takes an id for each column of an aggregate; the first one is kept.
  auto const ids_by_row = row_ids(space, aggregates_.ids.view(), next.equations);
  Array<VertexId, Space> moved(space, rows);
  std::optional<comm::NoErrorSync> agreed;
  if (!next.ones) {
    next.nullspace = Array<double, Space>(space, static_cast<std::size_t>(rows) * next.vectors);
    operators.move->forward(space, B.view(), next.nullspace.span(), next.vectors);
    agreed.emplace(operators.move->from().comm());  // ids are not wider
  }
  operators.move->forward(space, ids_by_row.view(), moved.span());
  agreed.reset();
  next.ids = Array<VertexId, Space>(space, rows / next.equations);
  core::for_each(space, next.ids.size(), NodeIds{moved.view(), next.equations, next.ids.span()});
  return next;
}

template <class Space>
std::size_t Coarsening<Space>::bytes() const {
  return std::visit([](auto const& kind) { return kind.bytes(); }, prolongation_) +
         aggregates_.aggregate.bytes() + aggregates_.ids.bytes() + tentative_.aggregate.bytes() +
         tentative_.value.bytes() + tentative_.coarse_nullspace.bytes() + operators.P.bytes() +
         operators.product.bytes() + (operators.pairs ? operators.pairs->bytes() : 0) +
         operators.moved.bytes();
}

}  // namespace Tessera::multigrid
