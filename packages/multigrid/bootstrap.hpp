#pragma once
/// \file
/// Hierarchies composed into one preconditioner: bootstrap AMG (D'Ambra, Vassilevski 2013; D'Ambra,
/// Filippone, Vassilevski 2018, on which Bernaschi, D'Ambra, Pasquini 2019 build).
#include <memory>
#include <string>
#include <vector>

#include "multigrid/hierarchy.hpp"

namespace Tessera::multigrid {

/// B with I - B A = (I - B_1 A) ... (I - B_k A) ... (I - B_1 A) for hierarchies B_1 to B_k. B is symmetric
/// positive definite if all B_i are and converge. The first hierarchy is made for the given near-nullspace.
/// Each further one is made for the error that the composite of the earlier ones reduces least; that error is
/// w of its matchings and its near-nullspace. In double a component with which B is not positive definite is
/// discarded, with a warning. In float double_precision_reason() reports it. The interface is that of
/// Hierarchy.
template <class T, class Space>
class Bootstrap {
 public:
  /// Adds components until the composite converges at parameters.bootstrap.convergence_rate, or until there
  /// are parameters.bootstrap.components. Collective. \throws as Hierarchy
  Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            NearNullspace const& nullspace, Parameters const& parameters,
            LevelObserver const& on_level = nullptr);
  /// Loads a saved bootstrap.
  Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            Parameters const& parameters, core::Archive& saved);
  Bootstrap(Bootstrap&&) noexcept;
  Bootstrap& operator=(Bootstrap&&) noexcept;
  ~Bootstrap();

  void save(comm::DistCsr<double, Space> const& A, core::Archive& file);

  /// Refreshes all components, each with its own aggregates and near-nullspace. Does not measure rates again.
  void refresh(comm::DistCsr<double, Space> const& A);

  /// x = B b: cycles of B_1, ..., B_k, ..., B_1, each for the residual of the previous ones.
  void apply(Span<double const> b, Span<double> x);
  void apply();
  /// Overwritten by apply().
  Span<T> input();
  Span<T const> output() const;

  static constexpr bool has_blocks = false;  ///< see Hierarchy

  bool enqueues_only() const;
  std::string double_precision_reason() const;
  std::vector<std::string> const& warnings() const;

  /// Levels, complexities and bytes of all components.
  HierarchyReport const& report();

  /// level: an index into the report's levels.
  LevelMatrices fetch_matrices(std::size_t level) const;
  LevelAggregates fetch_aggregates(std::size_t level) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace Tessera::multigrid
