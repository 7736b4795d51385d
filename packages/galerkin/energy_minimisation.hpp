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
comm::DistCsr<double, Space> tentative_on_pattern(Space const& space, ReachedAggregates<Space> const& reached,
                                                  Tentative<Space> const& T, comm::Distribution const& rows);

/// Restores the values of T.
template <class Space>
void reset_to_tentative(Space const& space, ReachedAggregates<Space> const& reached,
                        Tentative<Space> const& T, comm::DistCsr<double, Space>& P);

/// Reduces trace(P^T A P) among all P with the pattern of P and the product P B_coarse = B, by `steps`
/// iterations of conjugate gradients with D^-1 on all columns together (section 4 of the paper). Each step's
/// rows are projected onto the rows U_i with U_i B_coarse = 0. A row that reaches one aggregate keeps its
/// values, and so does a column where B_coarse is zero. P: from tentative_on_pattern. T: its tentative
/// prolongator. diagonal: of A. The energy does not grow. plan: of A times matrices with P's pattern; made
/// if it is empty. Collective.
template <class Space>
void minimise_energy(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                     Tentative<Space> const& T, int steps, sparse::ProductPlan<Space>& plan,
                     comm::DistCsr<double, Space>& P);

}  // namespace Tessera::galerkin
