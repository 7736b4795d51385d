#pragma once
/// \file
/// The library's hierarchy of smoothed aggregation with aggregates of another algorithm.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "krylov/conjugate_gradients.hpp"
#include "multigrid/levels/hierarchy_body.hpp"
#include "oracle/greedy_oracle.hpp"

namespace Tessera::papers {

enum class Aggregates {
  greedy,  ///< the paper's, on a CPU
  mis2     ///< the library's, for comparison
};

/// One rank. \throws exceptions of multigrid::Hierarchy
class HierarchyOf {
 public:
  HierarchyOf(Aggregates kind, comm::DistCsr<double, Host> const& A,
              multigrid::Parameters const& parameters) {
    Array<VertexId, Host> ids(Host{}, A.local.rows);
    for (Index i = 0; i < A.local.rows; ++i) ids[i] = i;
    levels_.clock.emplace(Host{});
    levels_.parameters = parameters;
    levels_.parameters.cycle_in_float = false;
    levels_.numbers = core::to_space(Host{}, std::vector<multigrid::LevelNumbers>(
                                                 std::min(parameters.max_levels, multigrid::most_levels)));
    add_levels(kind, multigrid::finest_level(Host{}, A, std::move(ids), {}, parameters));
  }

  double operator_complexity() const {
    double sum = 0;
    for (auto const& level : levels_.level) sum += static_cast<double>(level->nonzeros);
    return sum / static_cast<double>(levels_.level.front()->nonzeros);
  }
  std::vector<GlobalIndex> rows() const {
    std::vector<GlobalIndex> result;
    for (auto const& level : levels_.level) result.push_back(level->rows.global_size());
    return result;
  }

  /// x = M^-1 b by one cycle.
  void apply(Span<double const> b, Span<double> x) {
    auto& work = levels_.level.front()->work;
    std::copy(b.begin(), b.end(), work.b.begin());
    multigrid::cycle<double>(levels_, [](auto const& pass) { pass.run(Host{}); });
    std::copy_n(work.x.begin(), x.size(), x.begin());
  }

 private:
  using Facts = multigrid::LevelFacts<Host>;

  static multigrid::Aggregation<Host> aggregated(Aggregates kind, Facts const& fine,
                                                 multigrid::Parameters const& parameters) {
    auto graph = aggregation::strength(Host{}, *fine.A, fine.diagonal.view(), {},
                                       multigrid::strength_parameters(parameters, 1, fine.level));
    multigrid::Aggregation<Host> found;
    if (kind == Aggregates::mis2) {
      found.aggregates = aggregation::aggregate(Host{}, graph, fine.ids.view(), parameters.aggregation);
    } else {
      auto const greedy = oracle::greedy_aggregates(graph.offsets.view(), graph.neighbour.view());
      auto& aggregates = found.aggregates;
      aggregates.coarse = comm::Distribution(fine.A->rows.comm(), static_cast<Index>(greedy.root.size()));
      aggregates.aggregate =
          core::to_space(Host{}, std::vector<GlobalIndex>(greedy.aggregate.begin(), greedy.aggregate.end()));
      std::vector<VertexId> ids;
      for (auto const root : greedy.root) ids.push_back(fine.ids[root]);
      aggregates.ids = core::to_space(Host{}, ids);
    }
    found.prolongation =
        multigrid::make_prolongation(Host{}, fine, std::move(graph), found.aggregates, parameters);
    return found;
  }

  /// multigrid::add_levels with these aggregates.
  void add_levels(Aggregates kind, Facts facts) {
    auto const& parameters = levels_.parameters;
    for (int number = 0;; ++number) {
      levels_.level.push_back(multigrid::new_level(Host{}, std::move(facts), levels_));
      auto& level = *levels_.level.back();
      if (multigrid::is_coarsest(parameters, number, level.rows.global_size())) break;
      auto found = aggregated(kind, level.facts, parameters);
      if (!multigrid::stall_reason(level.facts, found).empty()) break;
      level.coarsening.emplace(Host{}, level.facts, std::move(level.facts.nullspace), std::move(found),
                               parameters, levels_.timed());
      multigrid::add_smoother(Host{}, levels_, level);
      multigrid::add_transfer(Host{}, levels_, level);
      facts = level.coarsening->next(Host{}, number + 1);
    }
    multigrid::add_smoother(Host{}, levels_, *levels_.level.back());
    multigrid::add_coarse_solver(Host{}, levels_);
    for (auto level = levels_.level.rbegin(); level != levels_.level.rend(); ++level)
      multigrid::store_level(Host{}, levels_, **level);
  }

  multigrid::Levels<double, Host> levels_;
};

/// Conjugate gradients with it, to a true relative residual of 1e-12 as in the paper's table 5.6.
inline krylov::Result solve(HierarchyOf& M, comm::DistCsr<double, Host> const& A, Span<double const> b) {
  comm::DistMatrix<double, Host> const stored(Host{}, A);
  Array<double, Host> x(Host{}, b.size());
  krylov::Parameters parameters;
  parameters.tolerance = 1e-12;
  parameters.start_from_zero = true;
  krylov::Preconditioner preconditioner;
  preconditioner.apply = [&M](Span<double const> r, Span<double> z) { M.apply(r, z); };
  krylov::Workspace<Host> workspace;
  return krylov::solve(Host{}, stored, preconditioner, b, x.span(), parameters, workspace);
}

}  // namespace Tessera::papers
