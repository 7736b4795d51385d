#pragma once
/// \file
/// The multigrid hierarchy of smoothed aggregation: setup, refresh, cycle, and what it reports.
#include <memory>
#include <string>
#include <vector>

#include "core/graph.hpp"
#include "core/memory.hpp"
#include "multigrid/levels/level.hpp"
#include "multigrid/reported_levels.hpp"

namespace Tessera::multigrid {

/// A cycle as a graph.
template <class Space>
struct RecordedCycle {
  core::Graph<Space> graph;
  bool recordable = false;  ///< on all ranks, a cycle only enqueues work
  bool recorded = false;    ///< the graph is up to date
};

/// M^-1 is one cycle from zero (Bell, Dalton, Olson 2012, Algorithm 3), or `applications` cycles. It is
/// symmetric positive definite if pre- and postsmoothing match, except for F- and K-cycles. F-cycles are not
/// symmetric. K-cycles are not linear; only M^-1 (a b) = a M^-1 b holds.
template <class T, class Space>
class Hierarchy final : public comm::TypedOperator<T, Space>, public ReportedLevels {
 public:
  /// Setup: Bell, Dalton, Olson 2012, Algorithm 1. See make_levels().
  Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            NearNullspace const& nullspace, Parameters const& parameters,
            LevelObserver const& on_level = nullptr);
  /// See load_levels(). The first refresh after a load keeps patterns and plans.
  Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            Parameters const& parameters, core::Archive& saved);
  // NOLINTNEXTLINE(performance-noexcept-move-constructor): a member may throw
  Hierarchy(Hierarchy&&) = default;

  void save(comm::DistCsr<double, Space> const& A, core::Archive& file) override;

  /// Aggregates and strong entries stay. The result is bitwise that of a setup with the same aggregates. The
  /// first refresh is such a setup and keeps patterns and plans. Later refreshes compute values only, and so
  /// do all refreshes after a setup that prepared them.
  void refresh(comm::DistCsr<double, Space> const& A) override;

  void apply(Span<double const> b, Span<double> x) override;
  void apply() override;
  Span<T> input() override { return finest().work.b.span(); }
  Span<T const> output() const override { return finest().work.x.view(); }
  bool enqueues_only() const override { return of_vector_.recordable; }

  /// False for a K-cycle, whose step lengths differ by vector.
  bool takes_blocks() const override { return levels_.parameters.cycle != CycleType::K; }
  void reserve_columns(int columns) override;
  void apply_block(int columns) override;

  /// The cycle's A.
  comm::DistMatrix<T, Space> const& matrix() const { return finest().A; }

  std::string double_precision_reason() const override;
  std::vector<std::string> const& warnings() const override { return warnings_; }
  HierarchyReport const& report() override;
  std::size_t level_count() const { return levels_.level.size(); }
  LevelMatrices fetch_matrices(std::size_t level) const override;
  LevelAggregates fetch_aggregates(std::size_t level) const override;

 private:
  Level<T, Space>& finest() const { return *levels_.level.front(); }
  comm::Communicator const& comm() const { return finest().rows.comm(); }
  comm::BlockMemory<T> block_memory() override {
    auto& work = finest().block_work;
    return {work.b.span(), work.x.span(), finest().work.x.size()};
  }
  template <class X>
  RecordedCycle<Space>& recording();

  /// Ends a setup or a load.
  void finish();
  template <class X>
  void find_whether_recordable();
  void discard_reports();
  /// Computes x of the finest level from its b. X: T, or a row of a block.
  template <class X>
  void cycle();

  Space space_;
  Levels<T, Space> levels_;
  std::vector<std::string> warnings_;
  HierarchyReport report_;
  bool reported_ = false;
  int columns_ = 1;                               ///< that blocks have memory for
  RecordedCycle<Space> of_vector_, of_4_, of_8_;  ///< by number of columns
};

}  // namespace Tessera::multigrid
