#pragma once
/// \file
/// From the matrix of one level to the matrix of the next: strength, aggregates, prolongator, Galerkin
/// product.
#include <optional>
#include <string>

#include "aggregation/statistics.hpp"
#include "comm/redistribute.hpp"
#include "core/phase_clock.hpp"
#include "galerkin/prolongator.hpp"
#include "galerkin/tentative.hpp"
#include "galerkin/triple_product.hpp"
#include "multigrid/parameters.hpp"
#include "multigrid/spectrum.hpp"

namespace Tessera::multigrid {

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
  /// Collective. spectrum: checked; it is estimated unless the coarsening stalls. fine.ids must stay where it
  /// is, fine's nullspace is given back when it has been used.
  Coarsening(Space const& space, LevelInput<Space>& fine, Spectrum<Space>& spectrum,
             Parameters const& parameters, core::PhaseTimes& times);

  /// Whether a coarser level is worth having; else why not. Nothing below may be called when it is not.
  bool stalled() const { return !stall_.empty(); }
  std::string const& stall() const { return stall_; }

  /// The next level; A points into this object, which must stay where it is.
  LevelInput<Space> coarse(Space const& space) const;

  /// D_F and its bound for new values of the fine matrix, where there is an A_F. Collective.
  void filter(Space const& space, comm::DistCsr<double, Space> const& A, Spectrum<Space>& spectrum) const;
  /// New values of the fine matrix, whose spectrum is estimated. prepare: the next level is made as by a
  /// setup, with the same aggregates and strong entries, and patterns and slots are kept; else they are
  /// there. Collective.
  void refresh(Space const& space, comm::DistCsr<double, Space> const& A, Spectrum<Space> const& spectrum,
               bool prepare, core::PhaseClock<Space>& clock);

  /// Gives back what the next refresh makes anew: values of P and P^T, and their patterns unless refreshes
  /// are prepared. What the cycle refers to stays.
  void return_transfer(Borrowed of_P, Borrowed of_R);
  /// The same for coarse_matrix().
  void return_coarse();

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
    return aggregation::aggregate_statistics(aggregates_.coarse,
                                             core::to_vector(space, aggregates_.aggregate.view()));
  }
  std::size_t bytes() const;

 private:
  /// P and the next level. keep: what refreshes need.
  template <class Timed>
  void make_next(Space const& space, comm::DistCsr<double, Space> const& A, Spectrum<Space> const& spectrum,
                 galerkin::Damping omega, bool keep, Timed const& timed);
  galerkin::FilteredEntries filter_entries() const { return {strong_.view(), lumped_.view()}; }
  Span<double const> smoothed_by(Spectrum<Space> const& spectrum) const {
    return filtered_ ? spectrum.filtered_diagonal.view() : spectrum.diagonal.view();
  }

  Parameters parameters_;
  int level_;  ///< the fine one's number
  std::string stall_;
  bool filtered_ = false, prepared_ = false;
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
