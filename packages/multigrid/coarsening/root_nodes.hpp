#pragma once
/// \file
/// Root nodes: P of small energy, which is T at the aggregates' roots (Manteuffel, Olson, Schroder,
/// Southworth, "A root-node-based algebraic multigrid method", 2017).
#include <utility>

#include "core/archive.hpp"
#include "core/parallel.hpp"
#include "galerkin/energy_minimisation.hpp"
#include "galerkin/reached_aggregates.hpp"
#include "multigrid/facts.hpp"

namespace Tessera::multigrid {

/// Which nodes are roots: those by whose ids aggregates are called.
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

/// An aggregate has a column for each near-nullspace vector. With one of ones, P is 1 at roots, as in the
/// paper; with others it is T there, which is that up to the basis of the aggregate's columns.
template <class Space>
class RootNodes {
 public:
  static constexpr bool by_aggregates = false;

  /// What archive() fills.
  explicit RootNodes(Parameters const& parameters) : parameters_(parameters.energy) {}
  RootNodes(Space const& space, LevelFacts<Space> const& fine, aggregation::StrengthGraph<Space> graph,
            aggregation::Aggregates<Space> const& aggregates, Parameters const& parameters)
      : RootNodes(parameters) {
    graph_ = std::move(graph);
    graph_.strong = {};
    is_root_ = Array<unsigned char, Space>(space, aggregates.aggregate.size());
    core::for_each(space, is_root_.size(),
                   RootBody{fine.ids.view(), aggregates.ids.view(), aggregates.aggregate.data(),
                            aggregates.coarse.begin(), is_root_.data()});
  }

  double reached() const { return 0; }
  /// P keeps what T has of it.
  void take_nullspace(Space const&, LevelFacts<Space> const&, Array<double, Space>) {}

  comm::DistCsr<double, Space> make(Space const& space, LevelFacts<Space> const& fine,
                                    galerkin::Tentative<Space> const& T, bool keep) {
    if (reached_.offsets.empty()) {
      reached_ = galerkin::reached_aggregates(space, graph_, T, is_root_.view(), parameters_);
      graph_ = {};
      is_root_ = {};
    }
    auto P = galerkin::spread_tentative(space, reached_, T, fine.A->rows);
    sparse::ProductPlan<Space> plan;
    galerkin::minimise_energy(space, *fine.A, fine.diagonal.view(), T, parameters_.steps, plan, P);
    if (keep) product_ = std::move(plan);
    return P;
  }
  void refresh(Space const& space, LevelFacts<Space> const& fine, galerkin::Tentative<Space> const& T,
               comm::DistCsr<double, Space>& P) {
    galerkin::restart_tentative(space, reached_, T, P);
    galerkin::minimise_energy(space, *fine.A, fine.diagonal.view(), T, parameters_.steps, product_, P);
  }
  std::size_t bytes() const { return reached_.bytes() + is_root_.bytes() + product_.bytes(); }
  /// The pattern; the product's plan is made by refreshes.
  void archive(core::Archive& file, Space const& space) {
    auto& [parameters, graph, is_root, reached, product] = *this;
    file.array(space, reached.offsets);
    file.array(space, reached.aggregate);
    file(reached.foreign);
  }

 private:
  galerkin::EnergyParameters parameters_;
  aggregation::StrengthGraph<Space> graph_;  ///< until the pattern is known
  Array<unsigned char, Space> is_root_;      ///< likewise
  galerkin::ReachedAggregates<Space> reached_;
  sparse::ProductPlan<Space> product_;  ///< of A with what has P's pattern
};

}  // namespace Tessera::multigrid
