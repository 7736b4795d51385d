#pragma once
/// \file
/// Hierarchies composed into one preconditioner: bootstrap AMG (D'Ambra, Vassilevski 2013; D'Ambra,
/// Filippone, Vassilevski 2018, on which Bernaschi, D'Ambra, Pasquini 2019 build).
#include <memory>
#include <string>
#include <vector>

#include "multigrid/hierarchy.hpp"

namespace Tessera::multigrid {

/// B with I - B A = (I - B_1 A) ... (I - B_k A) ... (I - B_1 A) for hierarchies B_1 to B_k: symmetric
/// positive definite where they are and converge. The first is made for the near-nullspace that is given,
/// each next one for the error that those before it, composed, reduce least: w of its matching, and its
/// near-nullspace. A component with which B is not positive definite is left out, and says so; in float,
/// double_precision_reason() does. What is not said here is as Hierarchy has it.
template <class T, class Space>
class Bootstrap {
 public:
  /// Components are made until the composite converges at parameters.bootstrap.convergence_rate, or there are
  /// as many as that allows. Collective. \throws what Hierarchy throws
  Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            NearNullspace const& nullspace, Parameters const& parameters,
            LevelObserver const& on_level = nullptr);
  /// What was saved, as Hierarchy has it.
  Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            Parameters const& parameters, core::Archive& saved);
  Bootstrap(Bootstrap&&) noexcept;
  Bootstrap& operator=(Bootstrap&&) noexcept;
  ~Bootstrap();

  void save(comm::DistCsr<double, Space> const& A, core::Archive& file);

  /// Of all components, each with its own aggregates and near-nullspace; rates are not measured again.
  void refresh(comm::DistCsr<double, Space> const& A);

  /// x = B b: cycles of B_1, ..., B_k, ..., B_1, each for what is left of b.
  void apply(Span<double const> b, Span<double> x);
  void apply();
  /// Overwritten by apply().
  Span<T> input();
  Span<T const> output() const;

  static constexpr bool has_blocks = false;  ///< as Hierarchy has them

  bool enqueues_only() const;
  std::string double_precision_reason() const;
  std::vector<std::string> const& warnings() const;

  /// Levels are those of all components, and so are complexities and bytes.
  HierarchyReport const& report();

  /// Of the report's levels, as Hierarchy has them.
  LevelMatrices fetch_matrices(std::size_t level) const;
  LevelAggregates fetch_aggregates(std::size_t level) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace Tessera::multigrid
