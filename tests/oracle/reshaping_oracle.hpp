#pragma once
/// \file
/// Aggregates reshaped by naive loops: all bipartitions, the paper's trace with a pseudo-inverse, one pair
/// after another.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "aggregation/coarse_rounding.hpp"
#include "core/hash.hpp"
#include "oracle/lapack.hpp"

namespace Tessera::oracle {

/// weight[i][j] != 0: an edge; an edge of negative weight only connects. Symmetric, no self edges.
struct WeighedGraph {
  std::vector<std::vector<double>> weight;
  std::vector<VertexId> ids;
  std::size_t size() const { return ids.size(); }
};

inline bool is_connected(WeighedGraph const& graph, std::vector<std::size_t> const& part) {
  if (part.empty()) return false;
  std::set<std::size_t> reached{part[0]};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (auto const i : part) {
      for (auto const j : part) {
        if (reached.count(i) != 0 && graph.weight[i][j] != 0.0) reached.insert(j);
      }
    }
  }
  return reached.size() == part.size();
}

/// The Laplacian of the positive weights among some vertices.
inline Dense laplacian_of(WeighedGraph const& graph, std::vector<std::size_t> const& vertices) {
  auto const n = static_cast<Index>(vertices.size());
  Dense A(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      double const weight = std::max(0.0, graph.weight[vertices[i]][vertices[j]]);
      A(i, j) -= weight;
      A(i, i) += weight;
    }
  }
  return A;
}

inline Dense pseudo_inverse(Dense const& A) {
  Dense result(A.rows, A.rows);
  for (Index j = 0; j < A.rows; ++j) {
    std::vector<double> unit(A.rows, 0.0);
    unit[j] = 1.0;
    auto const column = solve_least_squares(A, unit);
    for (Index i = 0; i < A.rows; ++i) result(i, j) = column[i];
  }
  return result;
}

/// I - (2 D)^-1 A
inline Dense l1_jacobi(Dense const& A) {
  Dense S = identity(A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < A.rows && A(i, i) != 0.0; ++j) S(i, j) -= A(i, j) / (2.0 * A(i, i));
  }
  return S;
}

/// 1/|V1| on one side and -1/|V2| on the other.
inline Dense coarse_vector(std::vector<bool> const& side) {
  auto const n = static_cast<Index>(side.size());
  auto const count = static_cast<double>(std::count(side.begin(), side.end(), true));
  Dense v(n, 1);
  for (Index i = 0; i < n; ++i) v(i, 0) = side[i] ? 1.0 / count : -1.0 / (n - count);
  return v;
}

/// tr(S^T A Q S A^+), Q the A-orthogonal projection to the coarse vector; 1 if no weight joins the sides.
inline double trace_of(Dense const& A, Dense const& S, Dense const& A_plus, std::vector<bool> const& side) {
  auto const v = coarse_vector(side);
  auto const Av = product(A, v);
  double const energy = product(transposed(v), Av)(0, 0);
  if (energy <= 1e-12) return 1.0;
  auto Q = product(v, transposed(Av));
  for (auto& q : Q.value) q /= energy;
  auto const T = product(product(product(transposed(S), A), product(Q, S)), A_plus);
  double trace = 0.0;
  for (Index i = 0; i < A.rows; ++i) trace += T(i, i);
  return trace;
}

/// Reshapes one pair: the new sets of vertices of the first and the second aggregate, by ascending ids.
struct Pair {
  std::vector<std::size_t> first, second;
};

inline Pair reshaped_pair(WeighedGraph const& graph, Pair const& pair) {
  auto all = pair.first;
  all.insert(all.end(), pair.second.begin(), pair.second.end());
  std::sort(all.begin(), all.end(), [&](auto i, auto j) { return graph.ids[i] < graph.ids[j]; });
  auto const n = all.size();
  auto const A = laplacian_of(graph, all), S = l1_jacobi(A), A_plus = pseudo_inverse(A);
  std::set<std::size_t> const was_first(pair.first.begin(), pair.first.end());
  std::tuple<double, std::size_t, unsigned> best{1.0, 0, 0};
  Pair result = pair;
  for (unsigned bits = 0; bits < 1u << n; ++bits) {
    std::vector<bool> side(n);
    std::vector<std::size_t> in, out;
    std::size_t moves = 0;
    for (std::size_t k = 0; k < n; ++k) {
      side[k] = (bits >> k & 1u) != 0;
      (side[k] ? in : out).push_back(all[k]);
      moves += side[k] != (was_first.count(all[k]) != 0) ? 1 : 0;
    }
    if (in.size() != n / 2 || (n % 2 == 0 && side[n - 1])) continue;
    if (!is_connected(graph, in) || !is_connected(graph, out)) continue;
    // The smallest is best: minus the trace, moves, the side as a number.
    std::tuple const found{-aggregation::coarsely_rounded(trace_of(A, S, A_plus, side)),
                           std::min(moves, n - moves), bits};
    if (!(found < best)) continue;
    best = found;
    bool const in_is_first = 2 * moves < n || (2 * moves == n && side[0]);
    result = in_is_first ? Pair{in, out} : Pair{out, in};
  }
  return result;
}

/// The aggregates (by their ids) of each vertex, -1: none.
inline std::vector<VertexId> reshaped(WeighedGraph const& graph, std::vector<VertexId> aggregate, int steps) {
  std::set<std::pair<VertexId, VertexId>> tried;
  for (int step = 0; step < steps; ++step) {
    std::map<VertexId, std::vector<std::size_t>> members;
    std::map<std::pair<VertexId, VertexId>, double> between;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (aggregate[i] >= 0) members[aggregate[i]].push_back(i);
      for (std::size_t j = 0; j < graph.size(); ++j) {
        auto const a = aggregate[i], b = aggregate[j];
        if (a >= 0 && a < b && graph.weight[i][j] > 0.0) between[{a, b}] += graph.weight[i][j];
      }
    }
    std::vector<std::tuple<double, std::uint64_t, VertexId, VertexId>> edges;
    for (auto const& [ends, weight] : between) {
      auto const [a, b] = ends;
      if (members[a].size() + members[b].size() > 16 || tried.count(ends) != 0) continue;
      auto const tie =
          core::mix64(core::mix64(static_cast<std::uint64_t>(a)) + static_cast<std::uint64_t>(b));
      edges.emplace_back(aggregation::coarsely_rounded(weight), tie, a, b);
    }
    std::sort(edges.rbegin(), edges.rend());
    std::set<VertexId> taken, changed;
    std::set<std::pair<VertexId, VertexId>> now;
    for (auto const& [weight, tie, a, b] : edges) {
      if (taken.count(a) != 0 || taken.count(b) != 0) continue;
      taken.insert({a, b});
      now.insert({a, b});
      Pair const before{members[a], members[b]};
      auto const after = reshaped_pair(graph, before);
      for (auto const i : after.first) aggregate[i] = a;
      for (auto const i : after.second) aggregate[i] = b;
      auto const as_set = [](auto const& list) { return std::set<std::size_t>(list.begin(), list.end()); };
      if (as_set(after.first) != as_set(before.first)) changed.insert({a, b});
    }
    for (auto it = tried.begin(); it != tried.end();) {
      it = changed.count(it->first) != 0 || changed.count(it->second) != 0 ? tried.erase(it) : std::next(it);
    }
    tried.insert(now.begin(), now.end());
  }
  return aggregate;
}

}  // namespace Tessera::oracle
