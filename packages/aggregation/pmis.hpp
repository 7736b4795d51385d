#pragma once
/// \file
/// Coarse vertices by PMIS (De Sterck, Yang, Heys, "Reducing complexity in parallel algebraic multigrid
/// preconditioners", 2006).
#include "aggregation/aggregates.hpp"

namespace Tessera::aggregation {

/// Which vertices depend on which: i depends on j where -a_ij >= theta max_k(-a_ik). Thresholds and rounding
/// are those of StrengthGraph, but directions are kept.
template <class Space>
struct DependenceGraph {
  static constexpr unsigned char depends = 1;  ///< the vertex depends on the neighbour
  static constexpr unsigned char leads = 2;    ///< the neighbour depends on the vertex

  comm::HaloPlan<Space> halo;             ///< of A
  Array<Offset, Space> offsets;           ///< vertices + 1
  Array<Index, Space> neighbour;          ///< of each edge, in one or both directions
  Array<unsigned char, Space> direction;  ///< of each edge: depends, leads or their sum
  Array<unsigned char, Space>
      strong;  ///< for each entry of A.local: 1 on the diagonal and where i depends on j
  Index vertices() const { return halo.distribution().local_size(); }
};

/// One row a vertex; A is symmetric in its pattern, and diagonal is checked_diagonal(A). Collective.
template <class Space>
DependenceGraph<Space> dependence(Space const& space, comm::DistCsr<double, Space> const& A,
                                  Span<double const> diagonal, double theta);

/// Each coarse vertex is an aggregate of its own; fine vertices are in none. Rounds: a vertex with the
/// largest (number of vertices that depend on it, hash of its id, id) among its undecided neighbours becomes
/// coarse, and the vertices that depend on it become fine. Vertices on which none depends are fine from the
/// beginning: isolated ones, and those whose couplings are strong in their own row only.
///
/// Two vertices that depend on each other are not both coarse. A vertex with a dependence depends on a
/// coarse vertex, or is one, or depends on a vertex that does.
///
/// first: result of a first PMIS, for aggressive coarsening. Only its coarse vertices can become coarse. They
/// compete over one or two edges in whatever direction, and those that depend on a coarse vertex over one or
/// two dependences become fine. Collective.
template <class Space>
Aggregates<Space> pmis(Space const& space, DependenceGraph<Space> const& graph, Span<VertexId const> ids,
                       int seed, Aggregates<Space> const* first = nullptr);

}  // namespace Tessera::aggregation
