#pragma once
/// \file
/// MIS(2) and aggregates of a whole graph by loops over all pairs of vertices.
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/hash.hpp"

namespace Tessera::oracle {

/// weight[i][j] > 0: an edge. Symmetric, no self edges.
struct WholeGraph {
  explicit WholeGraph(std::size_t n) : weight(n, std::vector<double>(n, 0.0)), ids(n) {}
  std::size_t size() const { return ids.size(); }
  bool edge(std::size_t i, std::size_t j) const { return weight[i][j] > 0.0; }

  std::vector<std::vector<double>> weight;
  std::vector<VertexId> ids;
};

/// Whether j can be reached from i in at most two steps over vertices that exist.
inline bool within_two(WholeGraph const& graph, std::vector<bool> const& exists, std::size_t i,
                       std::size_t j) {
  if (i == j || graph.edge(i, j)) return true;
  for (std::size_t k = 0; k < graph.size(); ++k) {
    if (exists[k] && graph.edge(i, k) && graph.edge(k, j)) return true;
  }
  return false;
}

/// Rounds. All vertices that may be members start undecided and get random priorities. A vertex with the
/// highest priority within distance two becomes a member; a vertex with a member within distance two is out.
inline std::vector<bool> mis2(WholeGraph const& graph, std::vector<bool> const& exists,
                              std::vector<bool> const& may_be_in, int seed) {
  auto const n = graph.size();
  std::vector<bool> in(n, false), undecided = may_be_in;
  auto near = std::vector<std::vector<bool>>(n, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      near[i][j] = exists[i] && exists[j] && within_two(graph, exists, i, j);
  }
  for (std::uint64_t round = 0;; ++round) {
    std::vector<std::uint64_t> priority(n);
    bool any = false;
    for (std::size_t i = 0; i < n; ++i) {
      priority[i] = core::mix62(graph.ids[i], static_cast<std::uint64_t>(seed) * 4294967296u + round);
      any = any || undecided[i];
    }
    if (!any) return in;
    for (std::size_t i = 0; i < n; ++i) {
      bool wins = undecided[i];
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i && undecided[j] && near[i][j] && priority[j] > priority[i]) wins = false;
      }
      if (wins) in[i] = true;
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (in[j] && near[i][j]) undecided[i] = false;
      }
    }
  }
}

/// The id of each vertex's root, -1 for vertices in no aggregate. Sums of the weights must be exact.
inline std::vector<VertexId> aggregates(WholeGraph const& graph, int seed, int extra_phases,
                                        int extra_degree) {
  auto const n = graph.size();
  std::vector<VertexId> root(n, -1);
  std::vector<bool> has_edge(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) has_edge[i] = has_edge[i] || graph.edge(i, j);
  }
  auto const left_over = [&](std::size_t i) { return has_edge[i] && root[i] < 0; };

  for (int phase = 0; phase <= extra_phases; ++phase) {
    std::vector<bool> exists(n, false), candidate(n, false);
    for (std::size_t i = 0; i < n; ++i) {
      int around = left_over(i) ? 1 : 0;
      for (std::size_t j = 0; j < n; ++j) around += graph.edge(i, j) && left_over(j) ? 1 : 0;
      exists[i] = left_over(i);
      candidate[i] = left_over(i) && (phase == 0 || around >= extra_degree);
    }
    auto const in = mis2(graph, exists, candidate, seed);
    auto joined = root;
    for (std::size_t i = 0; i < n; ++i) {
      if (!left_over(i)) continue;
      for (std::size_t j = 0; j < n; ++j) {
        if (in[j] && graph.edge(i, j)) joined[i] = graph.ids[j];
      }
      if (in[i]) joined[i] = graph.ids[i];
    }
    root = joined;
  }

  auto joined = root;
  for (std::size_t i = 0; i < n; ++i) {
    double strongest = 0.0;
    for (std::size_t j = 0; left_over(i) && j < n; ++j) {
      if (!graph.edge(i, j) || root[j] < 0) continue;
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k)
        sum += graph.edge(i, k) && root[k] == root[j] ? graph.weight[i][k] : 0;
      if (sum > strongest || (sum == strongest && root[j] < joined[i])) {
        joined[i] = root[j];
        strongest = sum;
      }
    }
  }
  return joined;
}

}  // namespace Tessera::oracle
