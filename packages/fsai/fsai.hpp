#pragma once
/// \file
/// The factored sparse approximate inverse G^T G of a distributed matrix: setup, refresh, application.
#include <memory>
#include <string>
#include <vector>

#include "comm/dist_matrix.hpp"
#include "core/archive.hpp"
#include "core/timer.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// Figures of a preconditioner, of all ranks, as describe() prints and JSON reports them.
struct Report {
  int factors = 0;                              ///< number of factors whose product is G
  GlobalIndex rows = 0, nonzeros = 0;           ///< of A
  GlobalIndex pattern_nonzeros = 0;             ///< before the postfilter, sum of all factors
  GlobalIndex factor_nonzeros = 0;              ///< after the postfilter, sum of all factors
  double pattern_density = 0, density = 0;      ///< pattern and G, relative to A's nonzeros (eq. (5.1))
  double filtered_share = 0;                    ///< share of the pattern that the postfilter dropped
  std::vector<GlobalIndex> row_size_histogram;  ///< rows of patterns with 1, 2, 3-4, 5-8, ... entries
  Index largest_row = 0;                        ///< entries of the longest pattern row
  GlobalIndex cut_rows = 0;                     ///< Fsai::cut_rows
  Index row_bound = 0;                          ///< Fsai::row_bound
  std::size_t bytes = 0;                        ///< memory after the setup, sum of all ranks
  std::size_t peak_workspace = 0;               ///< bytes of dense systems, largest of all ranks
  double apply_bytes = 0;  ///< memory traffic of one application in bytes, sum of all ranks
  std::string format, checksum, backend, precision;
  std::vector<std::string> warnings;
  core::PhaseTimes phases;  ///< seconds of the last setup or refresh, largest of all ranks
};

/// T: the type in which G is stored and applied; setup is in double.
template <class T, class Space>
class Fsai {
 public:
  /// A is square and symmetric positive definite, and its columns are distributed as its rows. Keeps no
  /// reference to A. Collective; throws the same error on every rank.
  /// \throws core::InvalidInput, core::NumericalError (with the row's name), core::OutOfMemory
  Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
       comm::StorageParameters const& storage = {});
  /// Loads a preconditioner that save() wrote for the same matrix and parameters. Collective; throws the same
  /// error on every rank.
  /// \throws core::InvalidInput, core::OutOfMemory
  Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
       comm::StorageParameters const& storage, core::Archive& saved);
  Fsai(Fsai&&) noexcept;
  Fsai& operator=(Fsai&&) noexcept;
  ~Fsai();

  /// Saves the state of apply() and refresh() for another process. Not collective.
  void save(core::Archive& file);

  /// Takes new values of A on the same pattern. G keeps its patterns before and after the postfilter.
  /// Unchanged values give bitwise the same G. Collective.
  void refresh(comm::DistCsr<double, Space> const& A);

  /// x = G^T G b on owned entries. Collective; allocates nothing.
  void apply(Span<double const> b, Span<double> x);
  /// Applies from input() to output(), without conversions; see multigrid::Hierarchy.
  void apply();
  Span<T> input();
  Span<T const> output() const;
  /// x = G^T G b in T, for distinct vectors of the caller. X: T, or a row of a block (core/interleaved.hpp)
  /// of at most as many columns as reserve_columns() had.
  template <class X = T>
  void apply_to(Span<X const> b, Span<X> x);
  /// Whether an application only enqueues work (core/graph.hpp), exchanges with other ranks included.
  bool enqueues_only() const;
  /// Whether exchanges of elements of this size in bytes only enqueue work on this rank.
  bool recordable(std::size_t element) const;

  /// Blocks of several vectors; see multigrid::Hierarchy.
  static constexpr bool has_blocks = true;
  bool takes_blocks() const { return true; }
  void reserve_columns(int columns);
  template <class X>
  void apply_block();
  template <class X>
  Span<X> block_input();
  template <class X>
  Span<X const> block_output() const;

  /// Factor k in double. Factors are applied in ascending order: G = G_1 G_0.
  comm::DistCsr<double, Space> const& factor(std::size_t k = 0) const;

  /// Memory of this rank, and the memory traffic of one apply_to, in bytes.
  std::size_t bytes() const;
  double bytes_moved() const;

  /// Number of rows of all ranks and factors that the setup cut to row_bound() entries.
  GlobalIndex cut_rows() const;
  /// Largest number of entries that a pattern row may have; the least of all factors.
  Index row_bound() const;

  std::vector<std::string> const& warnings() const;
  /// Collective in the first call after a setup; later calls return the cached report.
  Report const& report();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace Tessera::fsai
