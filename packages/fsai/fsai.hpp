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

/// What describe() prints and JSON reports, of all ranks.
struct Report {
  int factors = 0;                              ///< that G is the product of
  GlobalIndex rows = 0, nonzeros = 0;           ///< of A
  GlobalIndex pattern_nonzeros = 0;             ///< of G before the postfilter, of all factors
  GlobalIndex factor_nonzeros = 0;              ///< of G, of all factors
  double pattern_density = 0, density = 0;      ///< the same over A's (eq. (5.1))
  double filtered_share = 0;                    ///< of the pattern that the postfilter dropped
  std::vector<GlobalIndex> row_size_histogram;  ///< rows of patterns with 1, 2, 3-4, 5-8, ... entries
  Index largest_row = 0;                        ///< of the pattern
  GlobalIndex cut_rows = 0;                     ///< of Fsai::cut_rows
  Index row_bound = 0;                          ///< of Fsai::row_bound
  std::size_t bytes = 0;                        ///< that stay
  std::size_t peak_workspace = 0;               ///< for dense systems, largest of all ranks
  double apply_bytes = 0;                       ///< that one apply must move
  std::string format, checksum, backend, precision;
  std::vector<std::string> warnings;
  core::PhaseTimes phases;  ///< seconds of the last setup or refresh, largest of all ranks
};

/// T: the type in which G is stored and applied; setup is in double.
template <class T, class Space>
class Fsai {
 public:
  /// A is square and symmetric positive definite, columns distributed as rows. Collective. Keeps no reference
  /// to A.
  /// \throws core::InvalidInput, core::NumericalError (the row by its name), core::OutOfMemory; the same on
  /// every rank
  Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
       comm::StorageParameters const& storage = {});
  /// What was saved of the same matrix and parameters. Collective. \throws core::InvalidInput,
  /// core::OutOfMemory, on every rank
  Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
       comm::StorageParameters const& storage, core::Archive& saved);
  Fsai(Fsai&&) noexcept;
  Fsai& operator=(Fsai&&) noexcept;
  ~Fsai();

  /// Saves all that apply() and refresh() are to find in another process. Not collective.
  void save(core::Archive& file);

  /// New values of A, same pattern: the patterns of G before and after the postfilter stay. Unchanged values
  /// give bitwise the same G. Collective.
  void refresh(comm::DistCsr<double, Space> const& A);

  /// x = G^T G b. Owned entries. Collective; allocates nothing.
  void apply(Span<double const> b, Span<double> x);
  /// The same without conversions, from input() to output(), as multigrid::Hierarchy has it.
  void apply();
  Span<T> input();
  Span<T const> output() const;
  /// The same between vectors of the caller, which differ: x = G^T G b in T. X: T, or a row of a block
  /// (core/interleaved.hpp), of as many columns as reserve_columns() was told of.
  template <class X = T>
  void apply_to(Span<X const> b, Span<X> x);
  /// Whether applies do nothing but enqueue (core/graph.hpp), with other ranks too.
  bool enqueues_only() const;
  /// Whether exchanges of elements of so many bytes do, of this rank.
  bool recordable(std::size_t element) const;

  /// Blocks of several vectors, as multigrid::Hierarchy has them.
  static constexpr bool has_blocks = true;
  bool takes_blocks() const { return true; }
  void reserve_columns(int columns);
  template <class X>
  void apply_block();
  template <class X>
  Span<X> block_input();
  template <class X>
  Span<X const> block_output() const;

  /// A factor of G, in the order in which they are applied (G = G_1 G_0), in double.
  comm::DistCsr<double, Space> const& factor(std::size_t k = 0) const;

  /// Of this rank: bytes that stay, and bytes that one apply_to must move.
  std::size_t bytes() const;
  double bytes_moved() const;

  /// Rows of all ranks that the static pattern would have had longer, of all factors.
  GlobalIndex cut_rows() const;
  /// Entries that rows could have, least of all factors.
  Index row_bound() const;

  std::vector<std::string> const& warnings() const;
  /// Collective when called first after a setup, then cached.
  Report const& report();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace Tessera::fsai
