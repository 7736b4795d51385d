#pragma once
/// \file
/// The multigrid hierarchy of smoothed aggregation: setup, refresh, cycle, and what it reports.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comm/dist_csr.hpp"
#include "comm/dist_matrix.hpp"
#include "core/archive.hpp"
#include "core/timer.hpp"
#include "core/types.hpp"
#include "multigrid/parameters.hpp"

namespace Tessera::multigrid {

/// Called by a setup on each rank after it has made a level's matrix, with the level's number and its global
/// numbers of rows and nonzeros. May be null.
using LevelObserver = std::function<void(int, GlobalIndex, GlobalIndex)>;

/// The cycle's matrices on the host, rounded to float if the cycle is in float. Formats pad with zeros, so
/// entries that are 0 may be missing or added.
struct LevelMatrices {
  comm::HostMatrix A;
  std::optional<comm::HostMatrix> P, R;  ///< to the next level; none on the coarsest
};

/// The aggregates of a level. Row i of the next level belongs to aggregate i / vectors.
struct LevelAggregates {
  std::vector<GlobalIndex> aggregate;    ///< of each owned node, global index; -1: none
  int vectors = 1;                       ///< of the near-nullspace: coarse rows per aggregate
  std::vector<double> coarse_nullspace;  ///< of this rank's aggregates: rows x vectors, row-major
};

/// One level in describe() and JSON, global figures.
struct LevelReport {
  GlobalIndex rows = 0;
  GlobalIndex nonzeros = 0;
  GlobalIndex aggregates = 0;                                 ///< of this level's nodes; 0 on the coarsest
  GlobalIndex smallest_aggregate = 0, largest_aggregate = 0;  ///< in nodes
  int active_ranks = 1;
  double spectral_radius = 0;  ///< estimate of rho(D^-1 A); 0 if a dense solver does not need it
  std::string smoother;        ///< or coarse solver
  std::string format;          ///< storage of the cycle's matrix
  std::size_t bytes = 0;       ///< of all ranks
  std::string checksum;        ///< hexadecimal, of pattern and values; depends on the number of ranks
};

/// Memory kept for refreshes, bytes of all ranks.
struct RefreshBytes {
  std::size_t kept = 0;    ///< decisions; also patterns and plans, once refreshes are prepared
  std::size_t memory = 0;  ///< work memory on a GPU, once refreshes are prepared
};

/// One hierarchy of a bootstrap.
struct ComponentReport {
  std::size_t levels = 0;       ///< its part of HierarchyReport::levels, which lists components in order
  double convergence_rate = 0;  ///< of the composite up to this component, in the setup
};

struct HierarchyReport {
  std::vector<LevelReport> levels;
  std::vector<ComponentReport> components;  ///< of a bootstrap; else empty
  double operator_complexity = 0;           ///< sum of nonzeros over the finest's
  double grid_complexity = 0;               ///< sum of rows over the finest's
  double cycle_bytes = 0;  ///< that one apply must move: all that a pass reads or writes, once; for a K-cycle
                           ///< with both steps everywhere
  RefreshBytes refresh_bytes;
  std::string cycle;  ///< such as: K, not linear, with steps on 3 levels
  std::string backend, precision;
  std::vector<std::string> warnings;  ///< such as: coarsening stopped at level 3
  core::PhaseTimes phases;            ///< seconds of the last setup or refresh, largest of all ranks
};

/// T: number type of stored levels and of the cycle. The setup is in double.
template <class T, class Space>
class Hierarchy {
 public:
  /// Setup: Bell, Dalton, Olson 2012, Algorithm 1. A is square and symmetric, columns distributed as rows.
  /// ids: a distinct, persistent global id for each owned node. Collective. Keeps no reference to A or
  /// nullspace. \throws core::InvalidInput, core::NumericalError, core::OutOfMemory, the same on every rank
  Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            NearNullspace const& nullspace, Parameters const& parameters,
            LevelObserver const& on_level = nullptr);
  /// Loads a hierarchy saved for the same matrix, ids and parameters. Collective. \throws core::InvalidInput,
  /// core::OutOfMemory, on every rank
  Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            Parameters const& parameters, core::Archive& saved);
  Hierarchy(Hierarchy&&) noexcept;
  Hierarchy& operator=(Hierarchy&&) noexcept;
  ~Hierarchy();

  /// Saves all that apply() needs, and the data that refresh() cannot recompute. The first refresh after a
  /// load keeps patterns and plans. A: of the last setup or refresh. Not collective.
  void save(comm::DistCsr<double, Space> const& A, core::Archive& file);

  /// Refreshes with new values of A on the same pattern. Aggregates and strong entries stay. The result is
  /// bitwise that of a setup with the same aggregates. The first refresh is such a setup and keeps patterns
  /// and plans; on a GPU it also keeps work memory. Later refreshes compute values only. After a setup with
  /// prepared refreshes, all refreshes are of the later kind. Collective.
  void refresh(comm::DistCsr<double, Space> const& A);

  /// x = M^-1 b by one cycle from zero (Algorithm 3), or by `applications` cycles. Owned entries. M^-1 is
  /// symmetric positive definite if pre- and postsmoothing match, except for F- and K-cycles. F-cycles are
  /// not symmetric. K-cycles are not linear; only M^-1 (a b) = a M^-1 b holds. Collective; allocates nothing
  /// on the space.
  void apply(Span<double const> b, Span<double> x);

  /// apply() without conversions, for callers that convert in their own passes. Reads input(), writes
  /// output(): vectors of the finest level, whose addresses do not change. Owned entries.
  void apply();
  Span<T> input();
  Span<T const> output() const;

  /// apply() for blocks of several vectors, from block_input() to block_output(). Each column is bitwise that
  /// of a single apply(). X: core::Interleaved<T, k>, k as in reserve_columns(). reserve_columns() allocates
  /// memory and keeps it. It is collective, as is apply_block().
  static constexpr bool has_blocks = true;
  /// False for a K-cycle, whose step lengths differ by vector.
  bool takes_blocks() const;
  void reserve_columns(int columns);
  template <class X>
  void apply_block();
  template <class X>
  Span<X> block_input();
  template <class X>
  Span<X const> block_output() const;

  /// The cycle's A.
  comm::DistMatrix<T, Space> const& matrix() const;

  /// Whether apply() only enqueues work, so that it can be a part of a graph (core/graph.hpp).
  bool enqueues_only() const;

  /// Why the hierarchy should be in double instead of float, such as too large a ratio of couplings; empty if
  /// float suffices. The same on all ranks.
  std::string double_precision_reason() const;

  /// Warnings of the setup, such as: coarsening stopped at level 3. Not collective.
  std::vector<std::string> const& warnings() const;

  /// The first call after a setup is collective, because it gathers checksums and sums. Later calls return
  /// the same report.
  HierarchyReport const& report();

  /// Copies of the report's levels on the host. Not collective.
  std::size_t level_count() const;
  LevelMatrices fetch_matrices(std::size_t level) const;
  /// level: not the coarsest, which has no aggregates.
  LevelAggregates fetch_aggregates(std::size_t level) const;

 private:
  struct State;
  /// Allocates the memory of refreshes, after patterns and plans were kept. Collective.
  void allocate_for_refreshes(comm::DistCsr<double, Space> const& A);
  std::unique_ptr<State> state_;
};

}  // namespace Tessera::multigrid
