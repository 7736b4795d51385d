#pragma once
/// \file
/// The parallel aggregation algorithm of a whole graph, one vertex after the other.
#include <algorithm>
#include <tuple>
#include <vector>

#include "oracle/aggregation_oracle.hpp"

namespace Tessera::oracle {

/// Each vertex's position among the sorted ids.
inline std::vector<VertexId> places(std::vector<VertexId> const& ids) {
  std::vector<VertexId> result;
  for (auto const id : ids)
    result.push_back(std::count_if(ids.begin(), ids.end(), [&](VertexId other) { return other < id; }));
  return result;
}

/// The centre of each vertex, -1 for vertices without an edge. largest: most vertices of an aggregate,
/// without the leaves that join their neighbour; 0: no limit.
inline std::vector<Index> paa(WholeGraph const& graph, std::size_t largest, int seed = 0) {
  auto const n = graph.size();
  auto const number = places(graph.ids);
  using Priority = std::tuple<std::size_t, VertexId, std::uint64_t>;
  std::vector<Priority> priority;
  std::vector<Index> centre(n, -1);
  std::vector<bool> free(n);
  std::vector<std::vector<std::size_t>> around(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (graph.edge(i, j)) around[i].push_back(j);
    }
    free[i] = !around[i].empty();
    priority.push_back({around[i].size(), number[i] % 12, core::mix_below<43>(number[i], seed)});
  }
  std::vector<std::size_t> leaves;
  while (std::find(free.begin(), free.end(), true) != free.end()) {
    std::vector<std::size_t> centres;
    for (std::size_t i = 0; i < n; ++i) {
      bool wins = free[i];
      auto const meets = [&](std::size_t j) { wins = wins && !(free[j] && priority[j] > priority[i]); };
      for (auto const j : around[i]) {
        meets(j);
        for (auto const k : around[j]) meets(k);
      }
      if (wins) centres.push_back(i);
    }
    for (auto const c : centres) {
      std::vector<std::size_t> members;
      for (auto const j : around[c]) {
        if (free[j]) members.push_back(j);
      }
      if (members.empty() && around[c].size() == 1 && largest != 1) {
        leaves.push_back(c);
        free[c] = false;
        continue;
      }
      std::sort(members.begin(), members.end(),
                [&](std::size_t a, std::size_t b) { return number[a] < number[b]; });
      if (largest > 0 && members.size() >= largest) members.resize(largest - 1);
      members.push_back(c);
      for (auto const j : members) {
        centre[j] = static_cast<Index>(c);
        free[j] = false;
      }
    }
  }
  for (auto const leaf : leaves) centre[leaf] = centre[around[leaf].front()];
  return centre;
}

}  // namespace Tessera::oracle
