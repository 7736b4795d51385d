#pragma once
/// \file
/// Hierarchies composed into one preconditioner: bootstrap AMG (D'Ambra, Vassilevski 2013; D'Ambra,
/// Filippone, Vassilevski 2018, on which Bernaschi, D'Ambra, Pasquini 2019 build).
#include <algorithm>
#include <string>
#include <vector>

#include "multigrid/levels/hierarchy.hpp"

namespace Tessera::multigrid {

/// B with I - B A = (I - B_1 A) ... (I - B_k A) ... (I - B_1 A) for hierarchies B_1 to B_k. B is symmetric
/// positive definite if all B_i are and converge. The first hierarchy is made for the given near-nullspace.
/// Each further one is made for the error that the composite of the earlier ones reduces least; that error is
/// w of its matchings and its near-nullspace. In double a component with which B is not positive definite is
/// discarded, with a warning. In float double_precision_reason() reports it.
template <class T, class Space>
class Bootstrap final : public comm::TypedOperator<T, Space>, public ReportedLevels {
 public:
  /// Adds components until the composite converges at parameters.bootstrap.convergence_rate, or until there
  /// are parameters.bootstrap.components. See make_levels().
  Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            NearNullspace const& nullspace, Parameters const& parameters,
            LevelObserver const& on_level = nullptr);
  /// See load_levels().
  Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            Parameters const& parameters, core::Archive& saved);

  void save(comm::DistCsr<double, Space> const& A, core::Archive& file) override { archive(file, A, {}, {}); }
  /// Refreshes all components, each with its own aggregates and near-nullspace. Does not measure rates again.
  void refresh(comm::DistCsr<double, Space> const& A) override;

  /// Cycles of B_1, ..., B_k, ..., B_1, each for the residual of the previous ones.
  void apply(Span<double const> b, Span<double> x) override;
  void apply() override;
  Span<T> input() override { return components_.front().input(); }
  Span<T const> output() const override { return x_.view(); }
  bool enqueues_only() const override {
    return components_.front().matrix().halo().recordable(space_, sizeof(T)) &&
           std::all_of(components_.begin(), components_.end(),
                       [](auto const& one) { return one.enqueues_only(); });
  }

  std::string double_precision_reason() const override;
  std::vector<std::string> const& warnings() const override { return warnings_; }
  /// Levels, complexities and bytes of all components.
  HierarchyReport const& report() override;
  LevelMatrices fetch_matrices(std::size_t level) const override {
    auto const [component, its_level] = component_with(level);
    return component->fetch_matrices(its_level);
  }
  LevelAggregates fetch_aggregates(std::size_t level) const override {
    auto const [component, its_level] = component_with(level);
    return component->fetch_aggregates(its_level);
  }

 private:
  comm::Communicator const& comm() const { return components_.front().matrix().halo().distribution().comm(); }
  /// The number of cycles in an application.
  std::size_t cycles() const { return 2 * components_.size() - 1; }
  Hierarchy<T, Space>& component_of(std::size_t cycle) {
    return components_[std::min(cycle, cycles() - 1 - cycle)];
  }
  /// The component of a level of the report, and the level's number in it.
  std::pair<Hierarchy<T, Space> const*, std::size_t> component_with(std::size_t level) const {
    std::size_t k = 0;
    for (; level >= components_.at(k).level_count(); ++k) level -= components_[k].level_count();
    return {&components_[k], level};
  }
  void make(comm::DistCsr<double, Space> const& A, Array<VertexId, Space> const& ids,
            NearNullspace const& nullspace, Parameters const& parameters, LevelObserver const& on_level);
  void discard_last_component();
  /// A load is collective. It recomputes the rest.
  void archive(core::Archive& file, comm::DistCsr<double, Space> const& A, Span<VertexId const> ids,
               Parameters const& parameters);
  void gather_warnings();
  void make_report();

  Space space_;
  std::vector<Hierarchy<T, Space>> components_;
  std::vector<double> rates_;  ///< after each component
  Array<T, Space> x_;
  core::PhaseTimes phases_;                           ///< of the setup, without those of components
  std::vector<std::string> own_warnings_, warnings_;  ///< warnings_: including those of components
  HierarchyReport report_;
  bool reported_ = false;
  bool positive_ = true;
};

}  // namespace Tessera::multigrid
