#pragma once
/// \file
/// Aggregates to reshape, which every rank has as a whole.
#include "aggregation/aggregates.hpp"
#include "aggregation/problems.hpp"
#include "oracle/reshaping_oracle.hpp"

namespace Tessera::test {

/// The id of each vertex's aggregate; -1: none.
using ByIds = std::vector<VertexId>;

inline ByIds by_ids(aggregation::Aggregates<Host> const& aggregates) {
  auto const ids = gathered(aggregates.ids.begin(), aggregates.ids.end());
  ByIds result;
  for (auto const a : gathered(aggregates.aggregate.begin(), aggregates.aggregate.end()))
    result.push_back(a < 0 ? -1 : ids.at(a));
  return result;
}

/// Aggregates of a whole matrix's vertices. Aggregate i of all ranks has the id ids[i], and belongs to the
/// rank that has vertex owner[i].
inline aggregation::Aggregates<Host> given(comm::Distribution const& vertices,
                                           std::vector<GlobalIndex> const& aggregate,
                                           std::vector<GlobalIndex> const& owner) {
  std::vector<VertexId> mine;
  for (auto const vertex : owner) {
    if (vertices.owns(vertex)) mine.push_back(id_of(vertex));
  }
  aggregation::Aggregates<Host> result{comm::Distribution(vertices.comm(), static_cast<Index>(mine.size())),
                                       Array<GlobalIndex, Host>(Host{}, vertices.local_size()),
                                       core::to_space(Host{}, mine)};
  std::copy(aggregate.begin() + vertices.begin(), aggregate.begin() + vertices.end(),
            result.aggregate.begin());
  return result;
}

/// The graph of all couplings, with signs, rounded like strength().
inline oracle::WeighedGraph weighed_graph(Whole const& A) {
  oracle::WeighedGraph graph{std::vector(A.n, std::vector<double>(A.n, 0.0)), std::vector<VertexId>(A.n)};
  for (GlobalIndex i = 0; i < A.n; ++i) {
    graph.ids[i] = id_of(i);
    for (GlobalIndex j = 0; j < A.n; ++j) {
      if (i == j || A(i, j) == 0.0) continue;
      double const size = aggregation::coarsely_rounded(std::fabs(A(i, j)) / std::sqrt(A(i, i) * A(j, j)));
      graph.weight[i][j] = A(i, j) > 0.0 ? -size : size;
    }
  }
  return graph;
}

}  // namespace Tessera::test
