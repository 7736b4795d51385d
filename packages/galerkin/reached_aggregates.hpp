#pragma once
/// \file
/// The pattern of an energy-minimising prolongator: which aggregates each node's row reaches.
#include "comm/dist_csr.hpp"
#include "galerkin/tentative.hpp"

namespace Tessera::galerkin {

/// How far rows of P reach, and how well they are determined.
struct EnergyParameters {
  int reach = 2;           ///< strong couplings from a node to the aggregates of its row, at most
  double prefilter = 0.1;  ///< aggregates with less than this times a row's largest share leave the row
  int steps = 4;           ///< of conjugate gradients
};

/// Nodes and the aggregates of their rows, by ascending global numbers: local ones, ghosts behind.
template <class Space>
struct ReachedAggregates {
  Array<Offset, Space> offsets;      ///< nodes + 1
  Array<Index, Space> aggregate;     ///< of each entry
  std::vector<GlobalIndex> foreign;  ///< the aggregates of other ranks that ghosts are
  std::size_t bytes() const { return offsets.bytes() + aggregate.bytes(); }
};

/// A node that is a root reaches its own aggregate; one without an aggregate, none. Another reaches those
/// within `reach` steps along strong edges where a lazy random walk from it ends with at least `prefilter` of
/// the share of the likeliest, and its own. A step stays with probability 1/3, else takes an edge with
/// probabilities as the weights are. (Olson, Schroder, Tuminaro 2011 filter by the smoothed prolongator's
/// entries; with the walk's they need no near-nullspace, and rows that are not filtered do not differ.)
/// is_root: of the owned nodes. Collective.
template <class Space>
ReachedAggregates<Space> reached_aggregates(Space const& space,
                                            aggregation::StrengthGraph<Space> const& graph,
                                            Tentative<Space> const& T, Span<unsigned char const> is_root,
                                            EnergyParameters const& parameters);

/// P with that pattern, a block of T.equations rows and T.vectors columns an entry, whose values are T's.
/// Collective.
template <class Space>
comm::DistCsr<double, Space> spread_tentative(Space const& space, ReachedAggregates<Space> const& reached,
                                              Tentative<Space> const& T, comm::Distribution const& rows);

/// T's values again.
template <class Space>
void restart_tentative(Space const& space, ReachedAggregates<Space> const& reached, Tentative<Space> const& T,
                       comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
