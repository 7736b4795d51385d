#pragma once
/// \file
/// From one level to the next, as refreshes repeat it, and the one place where a coarsening is chosen.
/// Strength, aggregates, T, Galerkin products and moves to fewer ranks are shared. The kinds of coarsening
/// differ in P. Each kind has
///
///     take_nullspace(space, fine, B)  once, before the rest; B is given back unless it is kept
///     make(space, fine, T, keep)      P; keep: refresh will find its pattern and slots
///     refresh(space, fine, T, P)      new values of the fine matrix, bitwise what make would give
///     is_plain()                      whether P = T
///     make_plain(entries)             P = T from now on, since R A P would have so many entries
///     why_plain()                     why P is plain though it was not to be; or empty
///     bytes()                         that it holds between refreshes
///     by_aggregates                   whether P = T always, so that transfers go by the aggregates
///                                     (transfer.hpp); where T has one column an aggregate, P is not made
///     archive(file, space, fine, T)   saves what was decided, or fills a new one (core/archive.hpp)
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
#include "multigrid/coarsening/root_nodes.hpp"
#include "multigrid/coarsening/smoothed.hpp"
#include "multigrid/coarsening/unsmoothed.hpp"
#include "sparse/csr.hpp"

namespace Tessera::multigrid {

template <class Space>
void give_back(sparse::Csr<double, Space>& matrix, bool pattern, bool values) {
  if (values) matrix.value = {};
  if (!pattern) return;
  matrix.offsets = {};
  matrix.column = {};
}

/// Room for values that were given back.
template <class Space>
void restore_values(Space const& space, sparse::Csr<double, Space>& matrix) {
  if (matrix.value.empty()) matrix.value = Array<double, Space>(space, matrix.column.size());
}

template <class Space>
using Prolongation = std::variant<Unsmoothed<Space>, Smoothed<Space>, RootNodes<Space>>;

inline bool has_root_nodes(Parameters const& parameters) {
  return parameters.coarsening == CoarseningType::root_nodes;
}

/// Whether P = T.
inline bool is_unsmoothed(Parameters const& parameters) {
  return parameters.coarsening == CoarseningType::unsmoothed || parameters.prolongator_damping == 0;
}

/// Whether P is smoothed by the filtered matrix.
inline bool is_smoothed_by_strong(Parameters const& parameters) {
  return !is_unsmoothed(parameters) && !has_root_nodes(parameters) && parameters.filter.filtered;
}

/// Whether a near-nullspace of ones is one on all levels.
inline bool keeps_ones(Parameters const& parameters) {
  return has_root_nodes(parameters) || (is_unsmoothed(parameters) && !parameters.normalise_constant);
}

/// One that archive() fills.
template <class Space>
Prolongation<Space> unfilled_prolongation(Space const& space, int level, Parameters const& parameters) {
  if (is_unsmoothed(parameters)) return Unsmoothed<Space>();
  if (has_root_nodes(parameters)) return RootNodes<Space>(parameters);
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

/// Which nodes become one, and how P comes from that.
template <class Space>
struct Aggregation {
  Prolongation<Space> prolongation;
  aggregation::Aggregates<Space> aggregates;
};

/// What a coarsening makes, in double. The cycle has copies, or borrows.
template <class Space>
struct Operators {
  /// Of P = T: transfers go by it. Null: by P and R.
  std::shared_ptr<galerkin::AggregateMap<Space> const> aggregates;
  std::optional<galerkin::PairSums<Space>> pairs;  ///< in place of P and product
  comm::DistCsr<double, Space> P;
  galerkin::TripleProduct<Space> product;           ///< R = P^T, and R A P where restriction leaves it
  std::optional<comm::Redistribution<Space>> move;  ///< to fewer ranks
  comm::DistCsr<double, Space> moved;               ///< R A P there
  Array<double, Space> unmoved_scale,
      moved_scale;        ///< of both, as LevelFacts'; while the next level needs it
  bool prepared = false;  ///< refreshes find patterns and slots

  comm::DistCsr<double, Space>& unmoved() { return pairs ? pairs->coarse() : product.coarse(); }
  comm::DistCsr<double, Space> const& unmoved() const { return pairs ? pairs->coarse() : product.coarse(); }
  comm::DistCsr<double, Space> const& coarse() const { return move ? moved : unmoved(); }
  Array<double, Space> const& scale() const { return move ? moved_scale : unmoved_scale; }
};

/// {P, R, coarse A} of a level, made as Bell, Dalton, Olson 2012, Algorithm 1, does, and for new values.
template <class Space>
class Coarsening {
 public:
  Operators<Space> made;

  /// What archive() fills.
  Coarsening() = default;
  /// nullspace: of fine, given back when it has been used; empty if fine.ones. timed(phase, work) runs each
  /// piece of work. Collective.
  template <class Timed>
  Coarsening(Space const& space, LevelFacts<Space> const& fine, Array<double, Space> nullspace,
             Aggregation<Space> found, Parameters const& parameters, Timed const& timed);

  /// All but the matrices, which the cycle has. Behind it next() is what it was. Collective when it loads.
  void archive(core::Archive& file, Space const& space, LevelFacts<Space> const& fine,
               Parameters const& parameters);

  /// New values of the fine matrix. prepare: the next level is made as by a setup, with the same aggregates
  /// and strong entries, and patterns and slots are kept; else they are there. Collective.
  template <class Timed>
  void refresh(Space const& space, LevelFacts<Space> const& fine, Parameters const& parameters, bool prepare,
               Timed const& timed);

  /// The next level, whose A is made.coarse(), which must stay where it is. Collective.
  LevelFacts<Space> next(Space const& space, int level) const;
  /// How coarse vectors get from the ranks where restriction leaves them to those of the coarse matrix; null:
  /// they stay.
  comm::Redistribution<Space> const* move() const { return made.move ? &*made.move : nullptr; }
  galerkin::Tentative<Space> const& tentative() const { return tentative_; }
  /// Why P is not smoothed though it was to be; empty where all is as it was to be.
  std::string why_plain(int level) const {
    auto const why = std::visit([](auto const& kind) { return kind.why_plain(); }, prolongation_);
    return why.empty() ? why : core::message("level ", level, ": ", why);
  }
  /// Entries that R A P would have with a plain P, where these are too many, too; then nothing is made, and
  /// the level is the coarsest. Else 0.
  double too_many() const { return made.product.too_many(); }
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
  /// Whether the coarse matrix is summed over pairs of aggregates.
  bool in_pairs() const { return by_aggregates() && tentative_.equations == 1 && tentative_.vectors == 1; }
  void map_aggregates(Space const& space) {
    if (by_aggregates() && made.aggregates == nullptr)
      made.aggregates =
          std::make_shared<galerkin::AggregateMap<Space> const>(galerkin::aggregate_map(space, tentative_));
  }
  /// How a setup, or a refresh that prepares others, makes it. room: LevelFacts', of a setup; nullspace: R,
  /// as galerkin::Scales', likewise.
  struct Making {
    bool keep = false;
    double room = HUGE_VAL;
    double* nullspace = nullptr;
  };
  template <class Timed>
  void make(Space const& space, LevelFacts<Space> const& fine, Parameters const& parameters,
            Making const& how, Timed const& timed);
  template <class Timed>
  void make_prolongator(Space const& space, LevelFacts<Space> const& fine, Making const& how,
                        Timed const& timed);
  template <class Timed>
  void multiply(Space const& space, LevelFacts<Space> const& fine, Parameters const& parameters,
                Making const& how, Timed const& timed);
  void move_to_fewer_ranks(Space const& space, comm::Distribution const& rows, Parameters const& parameters);
  galerkin::Scales<Space> scales(LevelFacts<Space> const& fine, double* nullspace) {
    return {(fine.scale != nullptr ? *fine.scale : fine.diagonal).data(), &made.unmoved_scale, nullspace};
  }
  void move_scale(Space const& space);

  Prolongation<Space> prolongation_;
  aggregation::Aggregates<Space> aggregates_;
  galerkin::Tentative<Space> tentative_;
};

}  // namespace Tessera::multigrid
