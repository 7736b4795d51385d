#pragma once
/// \file
/// From the matrix of one level to the matrix of the next: strength, aggregates, prolongator, Galerkin
/// product.
#include <cmath>
#include <optional>
#include <string>

#include "aggregation/statistics.hpp"
#include "comm/inspection.hpp"
#include "comm/lanczos.hpp"
#include "comm/redistribute.hpp"
#include "core/phase_clock.hpp"
#include "galerkin/prolongator.hpp"
#include "galerkin/tentative.hpp"
#include "galerkin/triple_product.hpp"
#include "multigrid/parameters.hpp"

namespace Tessera::multigrid {

/// A level's matrix and what setup knows about its unknowns.
template <class Space>
struct LevelInput {
  comm::DistCsr<double, Space> const* A = nullptr;
  Array<VertexId, Space> ids;        ///< of the owned nodes
  Array<double, Space> nullspace;    ///< owned rows x vectors, row-major
  Array<double, Space> coordinates;  ///< owned nodes x dimension; empty below the finest level
  int dimension = 0;
  int equations = 1;  ///< rows a node
  int vectors = 1;
};

/// What is found out about a level's matrix, as it lies on a space.
struct LevelNumbers {
  comm::RowFindings found;
  comm::SpectralRadius of_A;
  comm::SpectralRadius of_filtered;  ///< of A_F, of a level that has one
  double omega = 0;                  ///< of the prolongator's smoothing
};

/// Diagonal of a matrix, and rho(D^-1 A) as Lanczos estimates it, capped by the row sums. Prolongators take
/// the estimate, since nothing goes wrong when it is a few per cent low; smoothers, which diverge above it,
/// the bound with the safety.
template <class Space>
struct DiagonalBound {
  Array<double, Space> diagonal;
  double estimate = 0;
  double rho = 0;                          ///< estimate times eigenvalue_safety, capped again
  std::string checksum;                    ///< of the matrix, which is read once for all of this
  Array<double, Space> filtered_diagonal;  ///< D_F, of a level that has an A_F
  Array<LevelNumbers, Space> numbers;      ///< one, in a setup
};

template <class Space>
class Coarsening;

/// What finding numbers of a level needs to know.
template <class Space>
struct LevelToInspect {
  comm::DistCsr<double, Space> const& A;
  Span<VertexId const> ids;
  int equations;
  int level;
  Coarsening<Space> const* coarsening = nullptr;  ///< the level's, which knows its A_F; null on the coarsest
  comm::StoredRows stored{};
};

/// Fills in what it finds of numbers, which lie on the space, and the result's diagonal. Collective.
/// checked: before more is done with the matrix, it is looked at; else nothing is waited for on one rank.
/// \throws, if checked, core::NumericalError naming level and row where the diagonal is not positive or a
/// value not finite
template <class Space>
DiagonalBound<Space> inspect_level(Space const& space, LevelToInspect<Space> const& level, bool checked,
                                   LevelNumbers* numbers);

/// Then the radii and omega, and D_F unless it is there. Collective.
template <class Space>
void estimate_level(Space const& space, LevelToInspect<Space> const& level, Parameters const& parameters,
                    LevelNumbers* numbers, DiagonalBound<Space>& result);

/// The same in a setup, with take_numbers; omega. Collective.
template <class Space>
double estimate_level(Space const& space, LevelToInspect<Space> const& level, Parameters const& parameters,
                      DiagonalBound<Space>& result);

/// Whether the numbers are those of a matrix that can be worked with.
inline bool usable(LevelNumbers const& numbers) {
  return std::isfinite(numbers.found.bound) && std::isfinite(numbers.of_A.estimate) &&
         std::isfinite(numbers.of_filtered.estimate);
}

/// The rest of the result, from numbers that have been copied to the host. Collective. \throws
/// core::NumericalError, naming the level, unless they are usable
template <class Space>
void take_numbers(comm::Communicator const& comm, int level, Parameters const& parameters,
                  LevelNumbers const& numbers, DiagonalBound<Space>& result);

/// Which of a matrix' arrays somebody refers to.
struct Borrowed {
  bool pattern, values;
};

/// Ranks that own rows.
inline int active_ranks(comm::Distribution const& rows) {
  int active = 0;
  for (int r = 0; r < rows.comm().size(); ++r) active += rows.begin(r + 1) > rows.begin(r) ? 1 : 0;
  return active;
}

/// One pass of Bell, Dalton, Olson 2012, Algorithm 1, and what its refresh needs.
template <class Space>
class Coarsening {
 public:
  /// Collective. bound: inspect_level's; the estimates are added unless the coarsening stalls. level: the
  /// number of the fine level, for messages. fine.ids must stay where it is, fine's nullspace is given back
  /// when it has been used.
  Coarsening(Space const& space, LevelInput<Space>& fine, DiagonalBound<Space>& bound, int level,
             Parameters const& parameters, core::PhaseTimes& times);

  /// Whether a coarser level is worth having; else why not. Nothing below may be called when it is not.
  bool stalled() const { return !stall_.empty(); }
  std::string const& stall() const { return stall_; }

  /// The next level; A points into this object, which must stay where it is.
  LevelInput<Space> coarse(Space const& space) const;

  /// New values of the fine matrix; bound: inspect_level's of them and this; omega: on the space. prepare:
  /// the next level is made as by a setup, with the same aggregates and strong entries, and patterns and
  /// slots are kept; else they are there. Collective.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A, DiagonalBound<Space> const& bound,
               double const* omega, bool prepare, core::PhaseClock<Space>& clock);

  /// Gives back what the next refresh makes anew: values of P and P^T, and their patterns unless refreshes
  /// are prepared. What the cycle refers to stays.
  void return_transfer(Borrowed of_P, Borrowed of_R);
  /// The same for coarse_matrix().
  void return_coarse();

  /// Whether the prolongator is smoothed by a filtered matrix, its entries, and its diagonal for new values.
  bool filtered() const { return filtered_; }
  comm::Filter filter() const { return {strong_.view(), lumped_.view()}; }
  Array<double, Space> filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A) const;

  comm::DistCsr<double, Space> const& prolongator() const { return P_; }
  sparse::Transposed<double, Space> const& restriction() const { return product_.restriction(); }
  /// The coarse matrix where it lives now, on all or on fewer ranks.
  comm::DistCsr<double, Space> const& coarse_matrix() const { return moves_ ? moved_ : product_.coarse(); }
  /// How coarse vectors get from the ranks where restriction leaves them to those of coarse_matrix(); null:
  /// they stay.
  comm::Redistribution<Space> const* move() const { return moves_ ? &*moves_ : nullptr; }

  GlobalIndex aggregates() const { return aggregates_.coarse.global_size(); }
  /// Collective.
  aggregation::AggregateStatistics statistics(Space const& space) const {
    return aggregation::aggregate_statistics(space, aggregates_);
  }
  std::size_t bytes() const;

 private:
  /// P and the next level. keep: what refreshes need.
  template <class Timed>
  void make_next(Space const& space, comm::DistCsr<double, Space> const& A, DiagonalBound<Space> const& bound,
                 galerkin::Damping omega, bool keep, Timed const& timed);
  galerkin::FilteredEntries filter_entries() const { return {strong_.view(), lumped_.view()}; }

  Parameters parameters_;
  std::string stall_;
  bool filtered_ = false, prepared_ = false;
  Array<VertexId, Space> row_ids_;
  aggregation::Aggregates<Space> aggregates_;
  Array<unsigned char, Space> strong_;  ///< only when filtered_
  Array<unsigned char, Space> lumped_;
  galerkin::Tentative<Space> tentative_;
  comm::DistCsr<double, Space> P_;
  galerkin::ProlongatorPlan<Space> prolongator_plan_;
  galerkin::TripleProduct<Space> product_;
  std::optional<comm::Redistribution<Space>> moves_;
  comm::DistCsr<double, Space> moved_;
};

}  // namespace Tessera::multigrid
