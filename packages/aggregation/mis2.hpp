#pragma once
/// \file
/// Deterministic maximal independent sets of distance two.
#include "aggregation/strength.hpp"

namespace Tessera::aggregation {

enum class Mis2State : unsigned char { out = 0, in = 1 };

/// state[v] for the owned vertices: a maximal set no two of which are within distance 2, among the
/// `candidate` vertices (1 may be in, 2 may not but paths lead through it, 0 does not exist; empty: all 1).
/// Bell, Dalton, Olson 2012, Algorithm 5 with k = 2 and its second update pass; priorities are re-hashed from
/// ids each round (Kelley, Rajamanickam, arXiv 2204.02934), so the set depends on the graph and the ids
/// alone: in round r (from 0) each undecided vertex whose core::mix62(id, seed 2^32 + r) is the largest among
/// the undecided ones within distance 2 becomes a member, then whoever is within distance 2 of a member is
/// out. ids: owned vertices' persistent names, below 2^62, distinct over all ranks. existing: the vertices
/// that exist, ascending, where they are few; empty: not known. Collective.
template <class Space>
void mis2(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
          Span<unsigned char const> candidate, int seed, Span<Mis2State> state,
          Span<Index const> existing = {});

}  // namespace Tessera::aggregation
