#pragma once
/// \file
/// From one level to the next, in setups and refreshes, and the one place where a coarsening is chosen.
/// Strength, aggregates, T, Galerkin products and moves to fewer ranks are shared. The kinds of coarsening
/// differ in P. Each kind has
///
///     take_nullspace(space, fine, B)  once, before make; B is released unless it is kept
///     make(space, fine, T, keep)      P; keep: keeps pattern and plan for refreshes
///     refresh(space, fine, T, P)      P for new values of the fine matrix, bitwise that of make
///     is_plain()                      whether P = T, or has one entry a row
///     make_plain(entries)             makes P plain, because R A P would have this number of entries
///     plain_reason()                  why P = T although P should be smoothed; or empty
///     bytes()                         that it keeps between refreshes
///     by_aggregates                   whether P = T always, so that transfers go by the aggregates
///                                     (transfer.hpp); where T has one column an aggregate, P is not made
///     archive(file, space, fine, T)   saves decisions, or loads them (core/archive.hpp)
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "aggregation/aggregates.hpp"
#include "comm/redistribute.hpp"
#include "core/error.hpp"
#include "galerkin/pair_sums.hpp"
#include "galerkin/triple_product.hpp"
#include "multigrid/coarsening/classical.hpp"
#include "multigrid/coarsening/root_nodes.hpp"
#include "multigrid/coarsening/smoothed.hpp"
#include "multigrid/coarsening/unsmoothed.hpp"
#include "sparse/csr.hpp"

namespace Tessera::multigrid {

template <class Space>
void release_arrays(sparse::Csr<double, Space>& matrix, bool pattern, bool values) {
  if (values) matrix.value = {};
  if (!pattern) return;
  matrix.offsets = {};
  matrix.column = {};
}

/// Allocates values that were released.
template <class Space>
void restore_values(Space const& space, sparse::Csr<double, Space>& matrix) {
  if (matrix.value.empty()) matrix.value = Array<double, Space>(space, matrix.column.size());
}

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

/// Whether a near-nullspace of ones is a vector of ones on all levels.
inline bool keeps_ones(Parameters const& parameters) {
  return has_root_nodes(parameters) || is_classical(parameters) ||
         (is_unsmoothed(parameters) && !parameters.normalise_constant);
}

/// A prolongation for archive() to load.
template <class Space>
Prolongation<Space> empty_prolongation(Space const& space, int level, Parameters const& parameters) {
  if (is_unsmoothed(parameters)) return Unsmoothed<Space>();
  if (has_root_nodes(parameters)) return RootNodes<Space>(parameters);
  if (is_classical(parameters)) return Classical<Space>(parameters);
  return Smoothed<Space>(space, level, parameters);
}

/// graph: of the fine matrix. Collective.
template <class Space>
Prolongation<Space> make_prolongation(Space const& space, LevelFacts<Space> const& fine,
                                      aggregation::StrengthGraph<Space> graph,
                                      aggregation::Aggregates<Space> const& aggregates,
                                      Parameters const& parameters) {
  if (is_unsmoothed(parameters)) return Unsmoothed<Space>();
  if (has_root_nodes(parameters))
    return RootNodes<Space>(space, fine, std::move(graph), aggregates, parameters);
  return Smoothed<Space>(space, fine, std::move(graph.strong), parameters);
}

/// Aggregates, and the prolongation made from them.
template <class Space>
struct Aggregation {
  Prolongation<Space> prolongation;
  aggregation::Aggregates<Space> aggregates;
};

/// The operators of a coarsening, in double. The cycle copies or borrows them.
template <class Space>
struct Operators {
  /// If P = T, transfers use this map. Null: transfers use P and R.
  std::shared_ptr<galerkin::AggregateMap<Space> const> aggregates;
  std::optional<galerkin::PairSums<Space>> pairs;  ///< instead of P and product
  comm::DistCsr<double, Space> P;
  galerkin::TripleProduct<Space> product;           ///< R = P^T, and R A P on the ranks of the fine level
  std::optional<comm::Redistribution<Space>> move;  ///< to fewer ranks
  comm::DistCsr<double, Space> moved;               ///< R A P on fewer ranks
  Array<double, Space> unmoved_scale,
      moved_scale;        ///< LevelScratch::scale of both, while the next level needs it
  bool prepared = false;  ///< patterns and plans are kept for refreshes

  comm::DistCsr<double, Space>& unmoved() { return pairs ? pairs->coarse() : product.coarse(); }
  comm::DistCsr<double, Space> const& unmoved() const { return pairs ? pairs->coarse() : product.coarse(); }
  comm::DistCsr<double, Space> const& coarse() const { return move ? moved : unmoved(); }
  Array<double, Space> const& scale() const { return move ? moved_scale : unmoved_scale; }
};

/// {P, R, coarse A} of a level (Bell, Dalton, Olson 2012, Algorithm 1), and their refresh.
template <class Space>
class Coarsening {
 public:
  Operators<Space> operators;

  /// For archive() to load.
  Coarsening() = default;
  /// nullspace: of fine, released after use; empty if fine.ones. timed(phase, work) runs each part of the
  /// work. Collective.
  template <class Timed>
  Coarsening(Space const& space, LevelFacts<Space> const& fine, Array<double, Space> nullspace,
             Aggregation<Space> found, Parameters const& parameters, Timed const& timed);

  /// All except the matrices, which the cycle has. After a load next() returns the same level. A load is
  /// collective.
  void archive(core::Archive& file, Space const& space, LevelFacts<Space> const& fine,
               Parameters const& parameters);

  /// Refreshes with new values of the fine matrix. prepare: recomputes the next level as a setup does, with
  /// the same aggregates and strong entries, and keeps patterns and plans. Otherwise uses the patterns and
  /// plans kept before. Collective.
  template <class Timed>
  void refresh(Space const& space, LevelFacts<Space> const& fine, Parameters const& parameters, bool prepare,
               Timed const& timed);

  /// The next level, whose A is operators.coarse(), which must stay where it is. Collective.
  LevelFacts<Space> next(Space const& space, int level) const;
  /// Moves coarse vectors from the fine level's ranks to those of the coarse matrix; null: the ranks are the
  /// same.
  comm::Redistribution<Space> const* move() const { return operators.move ? &*operators.move : nullptr; }
  galerkin::Tentative<Space> const& tentative() const { return tentative_; }
  /// Why P = T although P should be smoothed; empty otherwise.
  std::string plain_reason(int level) const {
    auto const why = std::visit([](auto const& kind) { return kind.plain_reason(); }, prolongation_);
    return why.empty() ? why : core::message("level ", level, ": ", why);
  }
  /// The number of entries of R A P if these are too many even with P = T. Then there is no coarse matrix,
  /// and the level is the coarsest. Otherwise 0.
  double too_many() const { return operators.product.too_many(); }
  /// Collective.
  aggregation::AggregateStatistics statistics(Space const& space) const {
    return aggregation::aggregate_statistics(aggregates_.coarse,
                                             core::to_vector(space, aggregates_.aggregate.view()));
  }
  std::size_t bytes() const;

 private:
  bool by_aggregates() const {
    return std::visit([](auto const& kind) { return kind.by_aggregates; }, prolongation_);
  }
  /// Whether the coarse matrix is made of sums over pairs of aggregates.
  bool in_pairs() const { return by_aggregates() && tentative_.equations == 1 && tentative_.vectors == 1; }
  void map_aggregates(Space const& space) {
    if (by_aggregates() && operators.aggregates == nullptr)
      operators.aggregates =
          std::make_shared<galerkin::AggregateMap<Space> const>(galerkin::aggregate_map(space, tentative_));
  }
  /// Options of a setup, or of a refresh that keeps plans. keep: keep plans. room: LevelScratch::room, in a
  /// setup. nullspace: R of galerkin::Scales, in a setup.
  struct MakeOptions {
    bool keep = false;
    double room = HUGE_VAL;
    double* nullspace = nullptr;
  };
  template <class Timed>
  void make(Space const& space, LevelFacts<Space> const& fine, Parameters const& parameters,
            MakeOptions const& how, Timed const& timed);
  template <class Timed>
  void make_prolongator(Space const& space, LevelFacts<Space> const& fine, MakeOptions const& how,
                        Timed const& timed);
  template <class Timed>
  void multiply(Space const& space, LevelFacts<Space> const& fine, Parameters const& parameters,
                MakeOptions const& how, Timed const& timed);
  void move_to_fewer_ranks(Space const& space, comm::Distribution const& rows, Parameters const& parameters);
  galerkin::Scales<Space> scales(LevelFacts<Space> const& fine, double* nullspace) {
    return {(fine.scale != nullptr ? *fine.scale : fine.diagonal).data(), &operators.unmoved_scale,
            nullspace};
  }
  void move_scale(Space const& space);

  Prolongation<Space> prolongation_;
  aggregation::Aggregates<Space> aggregates_;
  galerkin::Tentative<Space> tentative_;
};

}  // namespace Tessera::multigrid
