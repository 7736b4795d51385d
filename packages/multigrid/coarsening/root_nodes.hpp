#pragma once
/// \file
/// Root nodes: P of small energy, which is T at the aggregates' roots (Manteuffel, Olson, Schroder,
/// Southworth, "A root-node-based algebraic multigrid method", 2017).
#include <utility>

#include "core/archive.hpp"
#include "core/parallel.hpp"
#include "galerkin/energy_minimisation.hpp"
#include "galerkin/prolongator.hpp"
#include "multigrid/coarsening/unsmoothed.hpp"
#include "multigrid/facts.hpp"

namespace Tessera::multigrid {

/// Marks roots: nodes whose ids are the ids of aggregates.
struct RootBody {
  Span<VertexId const> ids, of_aggregate;
  GlobalIndex const* aggregate;
  GlobalIndex begin;  ///< own aggregates
  unsigned char* is_root;
  TESSERA_HD void operator()(Index v) const {
    auto const own = aggregate[v] - begin;
    bool const here = aggregate[v] >= begin && own < static_cast<GlobalIndex>(of_aggregate.size());
    is_root[v] = here && of_aggregate[own] == ids[v] ? 1 : 0;
  }
};

/// An aggregate has a column for each near-nullspace vector. With a vector of ones, P is 1 at roots, as in
/// the paper. With other vectors P is T at roots, which is the same up to the basis of the aggregate's
/// columns.
template <class Space>
class RootNodes {
 public:
  static constexpr bool by_aggregates = false;

  /// For archive() to load.
  explicit RootNodes(Parameters const& parameters) : parameters_(parameters.energy) {}
  RootNodes(Space const& space, LevelFacts<Space> const& fine, aggregation::StrengthGraph<Space> graph,
            aggregation::Aggregates<Space> const& aggregates, Parameters const& parameters)
      : RootNodes(parameters) {
    graph_ = std::move(graph);
    graph_.strong = {};
    graph_.leads = {};
    is_root_ = Array<unsigned char, Space>(space, aggregates.aggregate.size());
    core::for_each(space, is_root_.size(),
                   RootBody{fine.ids.view(), aggregates.ids.view(), aggregates.aggregate.data(),
                            aggregates.coarse.begin(), is_root_.data()});
  }

  bool is_plain() const { return plain_.given(); }
  void make_plain(double entries) { plain_.entries = entries; }
  std::string plain_reason() const { return plain_.text(); }
  /// P keeps the near-nullspace of T.
  void take_nullspace(Space const&, LevelFacts<Space> const&, Array<double, Space>) {}

  comm::DistCsr<double, Space> make(Space const& space, LevelFacts<Space> const& fine,
                                    galerkin::Tentative<Space> const& T, bool keep) {
    if (reached_.offsets.empty()) {
      reached_ = galerkin::reached_aggregates(space, graph_, T, is_root_.view(), parameters_);
      graph_ = {};
      is_root_ = {};
    }
    if (is_plain()) {
      auto const ones = values_of(space, T);
      return galerkin::prolongator(space, *fine.A, {}, {}, T.indicator ? ones : T, 0.0,
                                   keep ? &plain_plan_ : nullptr);
    }
    auto P = galerkin::tentative_on_pattern(space, reached_, T, fine.A->rows);
    sparse::ProductPlan<Space> plan;
    galerkin::minimise_energy(space, *fine.A, fine.diagonal.view(), T, parameters_.steps, plan, P);
    if (keep) product_ = std::move(plan);
    return P;
  }
  void refresh(Space const& space, LevelFacts<Space> const& fine, galerkin::Tentative<Space> const& T,
               comm::DistCsr<double, Space>& P) {
    if (is_plain()) {
      auto const ones = values_of(space, T);
      return galerkin::refresh_prolongator(space, *fine.A, {}, {}, T.indicator ? ones : T, 0.0, plain_plan_,
                                           P);
    }
    galerkin::reset_to_tentative(space, reached_, T, P);
    galerkin::minimise_energy(space, *fine.A, fine.diagonal.view(), T, parameters_.steps, product_, P);
  }
  std::size_t bytes() const {
    return reached_.bytes() + is_root_.bytes() + product_.bytes() + plain_plan_.bytes();
  }
  /// Stores the pattern. Refreshes make the product's plan.
  void archive(core::Archive& file, Space const& space, LevelFacts<Space> const&,
               galerkin::Tentative<Space> const& T) {
    auto& [parameters, plain, graph, is_root, reached, product, plain_plan] = *this;
    plain.archive(file);
    auto const aggregates_of_all = T.coarse_rows.divided(T.vectors);
    comm::require_same_on_ranks(file, aggregates_of_all.comm(), plain.reached, plain.entries);
    reached.archive(file, space, aggregates_of_all, T.aggregate.size());
  }

 private:
  /// T with stored ones if T is an indicator; else empty.
  static galerkin::Tentative<Space> values_of(Space const& space, galerkin::Tentative<Space> const& T) {
    galerkin::Tentative<Space> ones;
    if (!T.indicator) return ones;
    ones.coarse_rows = T.coarse_rows;
    ones.aggregate = Array<GlobalIndex, Space>::borrowed(space, T.aggregate.view());
    ones.value = Array<double, Space>(space, T.aggregate.size());
    core::fill(space, ones.value.span(), 1.0);
    return ones;
  }

  galerkin::EnergyParameters parameters_;
  PlainReason plain_;
  aggregation::StrengthGraph<Space> graph_;  ///< until the pattern is known
  Array<unsigned char, Space> is_root_;      ///< likewise
  galerkin::ReachedAggregates<Space> reached_;
  sparse::ProductPlan<Space> product_;  ///< of A and a matrix with P's pattern
  galerkin::ProlongatorPlan<Space> plain_plan_;
};

}  // namespace Tessera::multigrid
