#pragma once
/// \file
/// Preconditioners with levels: their interface, their reports, and how they are made.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comm/dist_matrix.hpp"
#include "comm/operator.hpp"
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
  std::string precision;       ///< of the cycle's matrix: half, float or double
  double entry_bytes = 0;      ///< that a product reads of the cycle's matrix, by entry
  std::size_t bytes = 0;       ///< of all ranks
  std::string checksum;        ///< hexadecimal, of pattern and values; depends on the number of ranks
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
  /// Memory kept for refreshes, of all ranks: decisions; also patterns and plans, once refreshes are
  /// prepared.
  std::size_t refresh_bytes = 0;
  std::string cycle;  ///< such as: K, not linear, with steps on 3 levels
  std::string backend;
  std::string precision;              ///< float or double; half: of one level at least
  std::vector<std::string> warnings;  ///< such as: coarsening stopped at level 3
  core::PhaseTimes phases;            ///< seconds of the last setup or refresh, largest of all ranks
};

/// The levels of a hierarchy, or of several that are composed.
class ReportedLevels {
 public:
  virtual ~ReportedLevels() = default;
  /// The first call after a setup is collective, because it gathers checksums and sums. Later calls return
  /// the same report.
  virtual HierarchyReport const& report() = 0;

  /// Copies of the report's levels on the host. Not collective.
  virtual LevelMatrices fetch_matrices(std::size_t level) const = 0;
  /// level: not the coarsest of a hierarchy, which has no aggregates.
  virtual LevelAggregates fetch_aggregates(std::size_t level) const = 0;
};

/// A Bootstrap if parameters.bootstrap.components > 1, else a Hierarchy, by a setup. A is square and
/// symmetric, columns distributed as rows. ids: a distinct, persistent global id for each owned node. Keeps
/// no reference to A or nullspace. The operator is also ReportedLevels. Collective. \throws
/// core::InvalidInput, core::NumericalError, core::OutOfMemory, the same on every rank
template <class T, class Space>
std::unique_ptr<comm::TypedOperator<T, Space>> make_levels(
    Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
    NearNullspace const& nullspace, Parameters const& parameters, LevelObserver const& on_level = nullptr);
/// Loads what save() wrote for the same matrix, ids and parameters. Collective. \throws core::InvalidInput,
/// core::OutOfMemory, on every rank
template <class T, class Space>
std::unique_ptr<comm::TypedOperator<T, Space>> load_levels(Space const& space,
                                                           comm::DistCsr<double, Space> const& A,
                                                           Array<VertexId, Space> ids,
                                                           Parameters const& parameters,
                                                           core::Archive& saved);

}  // namespace Tessera::multigrid
