#pragma once
/// \file
/// The pattern of an energy-minimising prolongator: the aggregates that each node's row reaches.
#include "comm/dist_csr.hpp"
#include "galerkin/tentative.hpp"

namespace Tessera::galerkin {

/// Reach of the rows of P, and number of energy steps.
struct EnergyParameters {
  int reach = 2;           ///< strong edges from a node to the aggregates of its row, at most
  double prefilter = 0.1;  ///< aggregates with less than this times a row's largest share leave the row
  int steps = 4;           ///< of conjugate gradients
};

/// The aggregates of each node's row by ascending global number; local aggregates first, then ghosts.
template <class Space>
struct ReachedAggregates {
  Array<Offset, Space> offsets;      ///< nodes + 1
  Array<Index, Space> aggregate;     ///< of each entry
  std::vector<GlobalIndex> foreign;  ///< the aggregates of other ranks that the ghosts stand for
  std::size_t bytes() const { return offsets.bytes() + aggregate.bytes(); }

  /// For these aggregates and so many nodes. Collective when it loads.
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

/// A root reaches its own aggregate alone; a node without an aggregate reaches none. Any other node reaches
/// its own aggregate and the aggregates within `reach` steps along strong edges where a lazy random walk
/// from it ends with at least `prefilter` times the share of the most likely aggregate. A step stays with
/// probability 1/3, else it takes an edge with probability proportional to the weight. Olson, Schroder,
/// Tuminaro 2011 filter by entries of the smoothed prolongator; the walk needs no near-nullspace, and
/// unfiltered rows are the same. is_root: of the owned nodes. Collective.
template <class Space>
ReachedAggregates<Space> reached_aggregates(Space const& space,
                                            aggregation::StrengthGraph<Space> const& graph,
                                            Tentative<Space> const& T, Span<unsigned char const> is_root,
                                            EnergyParameters const& parameters);

/// P with that pattern: a block of T.equations rows and T.vectors columns per entry, with the values of T.
/// Collective.
template <class Space>
comm::DistCsr<double, Space> spread_tentative(Space const& space, ReachedAggregates<Space> const& reached,
                                              Tentative<Space> const& T, comm::Distribution const& rows);

/// Restores the values of T.
template <class Space>
void restart_tentative(Space const& space, ReachedAggregates<Space> const& reached, Tentative<Space> const& T,
                       comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
