#pragma once
/// \file
/// Greedy weighted matching by sorting all edges, and matchings of pairs.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "aggregation/coarse_rounding.hpp"
#include "aggregation/matching.hpp"
#include "core/hash.hpp"

namespace Tessera::oracle {

/// A dense symmetric matrix, a smooth vector and the vertices' ids.
struct MatchingProblem {
  std::size_t n;
  std::vector<double> a;  ///< n x n, row-major
  std::vector<double> w;
  std::vector<VertexId> ids;
  std::vector<double> mass;  ///< (v, D v) of each vertex' vector v on the finest level; empty: nobody asks
  aggregation::MatchingRules rules = {};

  double at(std::size_t i, std::size_t j) const { return a[i * n + j]; }
  /// Not positive: no edge.
  float weight(std::size_t i, std::size_t j) const {
    if (i == j || at(i, j) == 0.0) return 0;
    double const c =
        1.0 - 2.0 * (at(i, j) * (w[i] * w[j])) / (at(i, i) * (w[i] * w[i]) + at(j, j) * (w[j] * w[j]));
    return c > 0.0 && is_smoothed(i, j) ? static_cast<float>(aggregation::coarsely_rounded(c)) : 0.0F;
  }
  /// Whether (x, A x) / (x, D x) of x = v_i / m_i - v_j / m_j is large enough.
  bool is_smoothed(std::size_t i, std::size_t j) const {
    if (mass.empty()) return true;
    double const x = w[i] / mass[i], y = w[j] / mass[j];
    double const energy = at(i, i) * x * x + at(j, j) * y * y - 2.0 * at(i, j) * x * y;
    return energy > 0.0 &&
           aggregation::coarsely_rounded(energy) >= rules.least_quotient * (1.0 / mass[i] + 1.0 / mass[j]);
  }
};

/// max(c_ij - 1, 0) relative to the largest such number of i.
struct Above {
  float own, of_i, of_j;
  aggregation::MatchingRules rules;
  Above(MatchingProblem const& problem, std::size_t i, std::size_t j)
      : own(problem.weight(i, j) - 1),
        of_i(largest(problem, i)),
        of_j(largest(problem, j)),
        rules(problem.rules) {}
  static float largest(MatchingProblem const& problem, std::size_t i) {
    float found = 0;
    for (std::size_t j = 0; j < problem.n; ++j) found = std::max(found, problem.weight(i, j) - 1);
    return found;
  }
  bool smooths() const {
    return own > 0 && own >= static_cast<float>(rules.smoothing_share) * std::min(of_i, of_j);
  }
  bool may_be_first() const {
    return rules.first_share == 0 || own >= static_cast<float>(rules.first_share) * std::max(of_i, of_j);
  }
};

/// The id of each vertex's aggregate, -1 for none. Edges are taken from the heaviest on, and match if both
/// ends are free. Of equal edges the largest hash of both ids is first, then the smaller ids. Edges of at
/// most `least` do not match. heavy: edges that are light relative to others do not match, either.
inline std::vector<VertexId> greedy_pairs(MatchingProblem const& problem, bool keeps_isolated,
                                          float least = 0, bool heavy = false) {
  struct Edge {
    float weight;
    std::uint64_t tie;
    VertexId low, high;
    std::size_t i, j;
  };
  std::vector<Edge> edges;
  std::vector<bool> has_edge(problem.n, false);
  for (std::size_t i = 0; i < problem.n; ++i) {
    for (std::size_t j = 0; j < problem.n; ++j) {
      if (problem.weight(i, j) <= 0) continue;
      has_edge[i] = true;
      auto const low = problem.ids[i], high = problem.ids[j];
      if (low > high || problem.weight(i, j) <= least) continue;
      if (heavy && !Above(problem, i, j).may_be_first()) continue;
      auto const tie =
          core::mix64(core::mix64(static_cast<std::uint64_t>(low)) + static_cast<std::uint64_t>(high));
      edges.push_back({problem.weight(i, j), tie, low, high, i, j});
    }
  }
  std::sort(edges.begin(), edges.end(), [](Edge const& a, Edge const& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    if (a.tie != b.tie) return a.tie > b.tie;
    return std::tie(a.low, a.high) < std::tie(b.low, b.high);
  });
  std::vector<VertexId> aggregate(problem.n, -1);
  for (auto const& edge : edges) {
    if (aggregate[edge.i] < 0 && aggregate[edge.j] < 0) aggregate[edge.i] = aggregate[edge.j] = edge.low;
  }
  for (std::size_t i = 0; i < problem.n; ++i) {
    if (aggregate[i] < 0 && (has_edge[i] || keeps_isolated)) aggregate[i] = problem.ids[i];
  }
  return aggregate;
}

/// `steps` matchings, each among the pairs of the previous one with the matrix W^T A W. A column of W is w on
/// a pair, divided by its norm there. All matchings but the first use the mass.
inline std::vector<VertexId> greedy_pairs_of_pairs(MatchingProblem const& problem, int steps,
                                                   bool first = true) {
  auto const least = first ? static_cast<float>(problem.rules.first_weight) : 0.0F;
  auto const pairs = greedy_pairs(problem, !first, least, first);
  if (steps == 1) return pairs;
  std::map<VertexId, std::size_t> number;
  for (auto const id : pairs) {
    if (id >= 0) number.emplace(id, 0);
  }
  MatchingProblem coarse{number.size(), {}, {}, {}, std::vector<double>(number.size(), 0.0), problem.rules};
  for (auto& [id, place] : number) {
    place = coarse.ids.size();
    coarse.ids.push_back(id);
  }
  std::vector<double> square(coarse.n, 0.0);
  for (std::size_t i = 0; i < problem.n; ++i) {
    if (pairs[i] < 0) continue;
    auto const I = number[pairs[i]];
    square[I] += problem.w[i] * problem.w[i];
    coarse.mass[I] +=
        first || problem.mass.empty() ? problem.at(i, i) * (problem.w[i] * problem.w[i]) : problem.mass[i];
  }
  for (double const s : square) coarse.w.push_back(std::sqrt(s));
  coarse.a.assign(coarse.n * coarse.n, 0.0);
  for (std::size_t i = 0; i < problem.n; ++i) {
    for (std::size_t j = 0; j < problem.n; ++j) {
      if (pairs[i] < 0 || pairs[j] < 0) continue;
      auto const I = number[pairs[i]], J = number[pairs[j]];
      coarse.a[I * coarse.n + J] +=
          problem.w[i] / coarse.w[I] * problem.at(i, j) * (problem.w[j] / coarse.w[J]);
    }
  }
  // A sum that cancels to rounding is no coupling.
  for (std::size_t I = 0; I < coarse.n; ++I) {
    for (std::size_t J = 0; J < coarse.n; ++J) {
      double& a = coarse.a[I * coarse.n + J];
      if (std::fabs(a) < 1e-13 * std::sqrt(coarse.at(I, I) * coarse.at(J, J))) a = 0.0;
    }
  }
  if (problem.rules.least_quotient == 0) coarse.mass.clear();
  auto const above = greedy_pairs_of_pairs(coarse, steps - 1, false);
  std::vector<VertexId> result;
  for (auto const id : pairs) result.push_back(id < 0 ? -1 : above[number[id]]);
  return result;
}

}  // namespace Tessera::oracle
