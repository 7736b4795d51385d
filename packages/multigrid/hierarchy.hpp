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

/// Called by a setup on each rank when a level's matrix is there, with the level's number and its rows and
/// nonzeros, global figures. Null: nobody asks.
using LevelObserver = std::function<void(int, GlobalIndex, GlobalIndex)>;

/// Matrices as the cycle has them, rounded to float where that is in float. Formats pad with zeros, so that
/// entries that are 0 may be left out, and others may be there.
struct LevelMatrices {
  comm::HostMatrix A;
  std::optional<comm::HostMatrix> P, R;  ///< to the next level; none on the coarsest
};

/// How a level's nodes become those of the next. Rows a of the next level's near-nullspace are those of
/// aggregate a / vectors.
struct LevelAggregates {
  std::vector<GlobalIndex> aggregate;    ///< of each owned node, a global index; -1: none
  int vectors = 1;                       ///< of the near-nullspace: rows that an aggregate becomes
  std::vector<double> coarse_nullspace;  ///< of the aggregates made here: their rows x vectors, row-major
};

/// What describe() prints and JSON reports of one level, global figures.
struct LevelReport {
  GlobalIndex rows = 0;
  GlobalIndex nonzeros = 0;
  GlobalIndex aggregates = 0;                                 ///< made on this level; 0 on the coarsest
  GlobalIndex smallest_aggregate = 0, largest_aggregate = 0;  ///< in nodes
  int active_ranks = 1;
  double spectral_radius = 0;  ///< estimate of rho(D^-1 A); 0 where a dense solver has no use for it
  std::string smoother;        ///< or the coarse solver
  std::string format;          ///< how the matrix is stored for the cycle
  std::size_t bytes = 0;       ///< of all ranks
  std::string checksum;        ///< hexadecimal, of pattern and values; depends on the number of ranks
};

/// What is held for refreshes, bytes of all ranks.
struct RefreshBytes {
  std::size_t kept = 0;    ///< decisions; patterns and slots too, once they are prepared
  std::size_t memory = 0;  ///< that refreshes work in, on a GPU, once they are prepared
};

/// A hierarchy among those that a bootstrap composes.
struct ComponentReport {
  std::size_t levels = 0;  ///< of HierarchyReport::levels, which has those of one component after the other
  double convergence_rate = 0;  ///< of what it and all before it compose, in the setup
};

struct HierarchyReport {
  std::vector<LevelReport> levels;
  std::vector<ComponentReport> components;  ///< of a bootstrap; else empty
  double operator_complexity = 0;           ///< sum of nonzeros over the finest's
  double grid_complexity = 0;               ///< sum of rows over the finest's
  double cycle_bytes = 0;  ///< that one apply must move: whatever a pass reads or writes, once;
                           ///< of a K-cycle that takes both steps everywhere
  RefreshBytes refresh_bytes;
  std::string cycle;  ///< such as: K, not linear, with steps on 3 levels
  std::string backend, precision;
  std::vector<std::string> warnings;  ///< such as: coarsening stalled at level 3
  core::PhaseTimes phases;            ///< seconds of the last setup or refresh, largest of all ranks
};

/// T: the type in which levels are stored and the cycle runs; setup is in double.
template <class T, class Space>
class Hierarchy {
 public:
  /// Setup: Bell, Dalton, Olson 2012, Algorithm 1. A is square and symmetric, columns distributed as rows.
  /// ids: a distinct, persistent global id for each owned node. Collective. Keeps no reference to A or
  /// nullspace. \throws core::InvalidInput, core::NumericalError, core::OutOfMemory, the same on every rank
  Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            NearNullspace const& nullspace, Parameters const& parameters,
            LevelObserver const& on_level = nullptr);
  /// What was saved of the same matrix, ids and parameters. Collective. \throws core::InvalidInput,
  /// core::OutOfMemory, on every rank
  Hierarchy(Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
            Parameters const& parameters, core::Archive& saved);
  Hierarchy(Hierarchy&&) noexcept;
  Hierarchy& operator=(Hierarchy&&) noexcept;
  ~Hierarchy();

  /// Saves what apply() needs, and of what refresh() needs all that it cannot make anew: the next one is one
  /// that prepares. A: of the last setup or refresh. Not collective.
  void save(comm::DistCsr<double, Space> const& A, core::Archive& file);

  /// New values of A on the same pattern: aggregates and strong entries stay. Bitwise what a setup with the
  /// same aggregates gives. The first refresh is such a setup, which keeps patterns and plans, so that
  /// later ones bring values only, and on a GPU the memory that these take; behind a setup that has prepared
  /// refreshes, every refresh is a later one. Collective.
  void refresh(comm::DistCsr<double, Space> const& A);

  /// x = M^-1 b by one cycle from zero (Algorithm 3), or by `applications`. Owned entries.
  /// Symmetric positive definite as an operator when pre- and postsmoothing match, but for F-cycles, which
  /// are not symmetric, and K-cycles, which are not linear: M^-1 (a b) = a M^-1 b is all that holds.
  /// Collective; allocates nothing on the space.
  void apply(Span<double const> b, Span<double> x);

  /// apply without its conversions, for callers whose own passes convert: from input() to output(), which are
  /// vectors of the finest level and stay where they are. Owned entries.
  void apply();
  Span<T> input();
  Span<T const> output() const;

  /// The same for blocks of several vectors, whose columns each are bitwise what they are alone: from
  /// block_input() to block_output(). X: core::Interleaved<T, k>, of as many columns as reserve_columns() was
  /// told of, which takes memory that is kept, and is collective as apply_block() is.
  static constexpr bool has_blocks = true;
  /// Not with a K-cycle, whose steps are a vector's own.
  bool takes_blocks() const;
  void reserve_columns(int columns);
  template <class X>
  void apply_block();
  template <class X>
  Span<X> block_input();
  template <class X>
  Span<X const> block_output() const;

  /// A as the cycle has it.
  comm::DistMatrix<T, Space> const& matrix() const;

  /// Whether apply does nothing but enqueue work, so that it can be a part of a graph (core/graph.hpp).
  bool enqueues_only() const;

  /// Why this should be made in double in place of float, such as couplings that are too far apart for the
  /// cycle; empty where it need not. The same on all ranks.
  std::string double_precision_reason() const;

  /// What went otherwise than one would wish in setup, such as: coarsening stalled at level 3. Not
  /// collective.
  std::vector<std::string> const& warnings() const;

  /// Collective when called first after a setup (checksums and sums are gathered), then cached.
  HierarchyReport const& report();

  /// Levels of the report on the host: copies, which are made anew by each call. Not collective.
  std::size_t level_count() const;
  LevelMatrices fetch_matrices(std::size_t level) const;
  /// level: not the coarsest, which has none.
  LevelAggregates fetch_aggregates(std::size_t level) const;

 private:
  struct State;
  /// Refreshes are prepared, on all ranks.
  void take_memory_of_refreshes(comm::DistCsr<double, Space> const& A);
  std::unique_ptr<State> state_;
};

}  // namespace Tessera::multigrid
