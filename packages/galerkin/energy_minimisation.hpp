#pragma once
/// \file
/// Prolongators of small energy (Olson, Schroder, Tuminaro, "A general interpolation strategy for algebraic
/// multigrid using energy minimization", 2011): their pattern, the aggregates that each row reaches, and
/// their values.
#include "comm/dist_csr.hpp"
#include "galerkin/tentative.hpp"
#include "sparse/engine/row_merge/product_plan.hpp"

namespace Tessera::galerkin {

/// Reach of the rows of P, and number of energy steps.
struct EnergyParameters {
  int reach = 2;           ///< largest number of strong edges from a node to an aggregate of its row
  double prefilter = 0.1;  ///< aggregates with a share below this times the row's largest are dropped
  int steps = 4;           ///< of conjugate gradients
};

/// The aggregates of each node's row by ascending global number; local aggregates first, then ghosts.
template <class Space>
struct ReachedAggregates {
  Array<Offset, Space> offsets;      ///< nodes + 1
  Array<Index, Space> aggregate;     ///< of each entry
  std::vector<GlobalIndex> foreign;  ///< the ghosts: aggregates of other ranks
  std::size_t bytes() const { return offsets.bytes() + aggregate.bytes(); }

  /// For these aggregates and this number of nodes. Collective when it loads.
  void archive(core::Archive& file, Space const& space, comm::Distribution const& aggregates,
               std::size_t nodes) {
    auto& [first, reached, others] = *this;
    file(others);
    comm::require_ghosts(file, aggregates, others);
    std::size_t entries = 0;
    file.array(space, first, [&](Span<Offset const> all) {
      core::require_offsets(file, all, nodes, "offsets of reached aggregates");
      entries = static_cast<std::size_t>(all[nodes]);
    });
    auto const known = aggregates.local_size() + static_cast<Index>(foreign.size());
    file.array(space, reached, [&](Span<Index const> all) {
      core::require_size(file, all, entries, "reached aggregates");
      core::require_between(file, all, Index{0}, known - 1, "reached aggregates");
    });
  }
};

/// A root reaches only its own aggregate, and a node without an aggregate reaches none. Any other node
/// reaches its own aggregate and some aggregates within `reach` steps along strong edges. Their shares, the
/// probabilities that a lazy random walk from the node ends there, are at least `prefilter` times the largest
/// share. A step of the walk stays with probability 1/3; else it takes an edge with probability proportional
/// to its weight. Olson, Schroder, Tuminaro 2011 filter by entries of the smoothed prolongator. The walk
/// needs no near-nullspace, and gives the same unfiltered rows. is_root: of the owned nodes. Collective.
template <class Space>
ReachedAggregates<Space> reached_aggregates(Space const& space,
                                            aggregation::StrengthGraph<Space> const& graph,
                                            Tentative<Space> const& T, Span<unsigned char const> is_root,
                                            EnergyParameters const& parameters);

/// P with that pattern: a block of T.equations rows and T.vectors columns per entry, with the values of T.
/// Collective.
template <class Space>
comm::DistCsr<double, Space> tentative_on_pattern(Space const& space, ReachedAggregates<Space> const& reached,
                                                  Tentative<Space> const& T, comm::Distribution const& rows);

/// Restores the values of T.
template <class Space>
void reset_to_tentative(Space const& space, ReachedAggregates<Space> const& reached,
                        Tentative<Space> const& T, comm::DistCsr<double, Space>& P);

/// Reduces trace(P^T A P) among all P with the pattern of P and the product P B_coarse = B. Takes `steps`
/// iterations of conjugate gradients with D^-1 on all columns together (section 4 of the paper). Each step's
/// rows are projected onto the rows U_i with U_i B_coarse = 0. A row that reaches one aggregate keeps its
/// values, as does a column with zero B_coarse. P: from tentative_on_pattern. T: its tentative prolongator.
/// diagonal: of A. The energy does not grow. plan: of A times a matrix with P's pattern; computed if empty.
/// Collective.
template <class Space>
void minimise_energy(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Tentative<Space> const& T, int steps, sparse::ProductPlan<Space>& plan,
                     comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
