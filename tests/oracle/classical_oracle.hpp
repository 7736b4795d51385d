#pragma once
/// \file
/// PMIS and extended interpolation as loops over dense matrices.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "aggregation/coarse_rounding.hpp"
#include "core/hash.hpp"
#include "oracle/dense.hpp"

namespace Tessera::oracle {

using Marks = std::vector<std::vector<bool>>;

/// Whether i depends on j: -a_ij >= theta max_k(-a_ik), after coarse rounding.
inline Marks dependences(Dense const& A, double theta) {
  using aggregation::coarsely_rounded;
  Marks depends(A.rows, std::vector<bool>(A.rows, false));
  for (Index i = 0; i < A.rows; ++i) {
    double largest = 0;
    for (Index j = 0; j < A.rows; ++j)
      if (j != i) largest = std::max(largest, -A(i, j));
    for (Index j = 0; j < A.rows; ++j) {
      bool const is_coupling = j != i && A(i, j) < 0 && -A(i, j) > 1e-12 * std::sqrt(A(i, i) * A(j, j));
      depends[i][j] = is_coupling && coarsely_rounded(-A(i, j) * (1 / largest)) >= coarsely_rounded(theta);
    }
  }
  return depends;
}

/// Rounds over all vertices, or over those of `first`, which compete and depend over one or two edges.
inline std::vector<bool> pmis(Marks const& depends, std::vector<VertexId> const& ids, int seed,
                              std::vector<bool> const* first = nullptr) {
  auto const n = depends.size();
  Marks reaches = depends, is_near = depends;
  std::vector<bool> coarse(n, false), decided(n, false);
  std::vector<std::uint64_t> dependents(n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      dependents[j] += depends[i][j] ? 1 : 0;
      is_near[i][j] = depends[i][j] || depends[j][i];
      for (std::size_t w = 0; w < n && first != nullptr; ++w) {
        reaches[i][j] = reaches[i][j] || (depends[i][w] && depends[w][j]);
        is_near[i][j] =
            is_near[i][j] || ((depends[i][w] || depends[w][i]) && (depends[w][j] || depends[j][w]));
      }
    }
    decided[j] = dependents[j] == 0 || (first != nullptr && !(*first)[j]);
  }
  auto const beats = [&](std::size_t u, std::size_t v) {
    auto const hash = [&](std::size_t w) { return core::mix62(ids[w], static_cast<std::uint64_t>(seed)); };
    return dependents[u] != dependents[v] ? dependents[u] > dependents[v] : hash(u) > hash(v);
  };
  while (std::count(decided.begin(), decided.end(), false) > 0) {
    std::vector<std::size_t> elected;
    for (std::size_t v = 0; v < n; ++v) {
      bool wins = !decided[v];
      for (std::size_t u = 0; u < n && wins; ++u)
        wins = u == v || decided[u] || !is_near[u][v] || beats(v, u);
      if (wins) elected.push_back(v);
    }
    for (auto const v : elected) coarse[v] = decided[v] = true;
    for (std::size_t v = 0; v < n; ++v)
      for (std::size_t c = 0; c < n; ++c) decided[v] = decided[v] || (reaches[v][c] && coarse[c]);
  }
  return coarse;
}

/// Which entries of a row stay: the `most` largest, 0: all. ids: of the columns.
inline std::vector<bool> largest(std::vector<double> const& row, std::vector<VertexId> const& ids, int most) {
  std::vector<Index> order;
  for (Index c = 0; c < static_cast<Index>(row.size()); ++c)
    if (row[c] != 0) order.push_back(c);
  auto const size = [&](Index c) { return aggregation::coarsely_rounded(std::abs(row[c])); };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return size(a) != size(b) ? size(a) > size(b) : core::mix62(ids[a], 0) > core::mix62(ids[b], 0);
  });
  if (most > 0 && static_cast<int>(order.size()) > most) order.resize(most);
  std::vector<bool> stays(row.size(), false);
  for (auto const c : order) stays[c] = true;
  return stays;
}

/// Rows whose largest entries stay, scaled to their sums. ids: of the columns.
inline Dense truncated(Dense P, std::vector<VertexId> const& ids, int most) {
  for (Index i = 0; i < P.rows; ++i) {
    auto const row = P.value.begin() + static_cast<std::ptrdiff_t>(i) * P.columns;
    auto const stays = largest({row, row + P.columns}, ids, most);
    double sum = 0, kept = 0;
    for (Index c = 0; c < P.columns; ++c) sum += P(i, c), kept += stays[c] ? P(i, c) : 0;
    for (Index c = 0; c < P.columns; ++c) P(i, c) = stays[c] ? P(i, c) * (sum / kept) : 0;
  }
  return P;
}

inline std::vector<VertexId> ids_of(std::vector<bool> const& coarse, std::vector<VertexId> const& ids) {
  std::vector<VertexId> result;
  for (std::size_t i = 0; i < coarse.size(); ++i)
    if (coarse[i]) result.push_back(ids[i]);
  return result;
}

/// Extended interpolation: a strong fine neighbour k of i passes a_ik to its strong coarse neighbours and to
/// i, by the sizes of a_kc and a_ki. P_C = I. ids: of the rows.
inline Dense classical_interpolation(Dense const& A, Marks const& depends, std::vector<bool> const& coarse,
                                     std::vector<VertexId> const& ids, int most) {
  Index const n = A.rows;
  std::vector<Index> number(n, -1);
  Index count = 0;
  for (Index i = 0; i < n; ++i)
    if (coarse[i]) number[i] = count++;
  std::vector<double> beta(n, 0.0);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) beta[i] += depends[i][j] && coarse[j] ? A(i, j) : 0;
  }
  Dense P(n, count);
  std::vector<double> diagonal(n, -1.0);
  for (Index i = 0; i < n; ++i) {
    if (coarse[i]) P(i, number[i]) = 1;
    if (coarse[i]) continue;
    diagonal[i] = A(i, i);
    for (Index j = 0; j < n; ++j) {
      if (j == i || A(i, j) == 0) continue;
      bool const moves = depends[i][j] && (coarse[j] || beta[j] != 0);
      if (!moves) diagonal[i] += A(i, j);
      if (!moves || coarse[j]) {
        if (moves) P(i, number[j]) += A(i, j);
        continue;
      }
      double const all = beta[j] + A(j, i);
      diagonal[i] += A(i, j) * A(j, i) / all;
      for (Index c = 0; c < n; ++c)
        if (depends[j][c] && coarse[c]) P(i, number[c]) += A(i, j) * A(j, c) / all;
    }
  }
  P = truncated(std::move(P), ids_of(coarse, ids), most);
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < count; ++c) P(i, c) /= -diagonal[i];
  return P;
}

/// P_1 P_2: from the vertices of `first`, which are interpolated from those of `coarse`.
inline Dense two_stage_interpolation(Dense const& A, Marks const& depends, std::vector<bool> const& first,
                                     std::vector<bool> const& coarse, std::vector<VertexId> const& ids,
                                     int most) {
  auto const P1 = classical_interpolation(A, depends, first, ids, most);
  auto const all = classical_interpolation(A, depends, coarse, ids, most);
  Dense P2(P1.columns, all.columns);
  for (Index i = 0, c = 0; i < A.rows; ++i) {
    if (!first[i]) continue;
    for (Index j = 0; j < all.columns; ++j) P2(c, j) = all(i, j);
    ++c;
  }
  return truncated(product(P1, P2), ids_of(coarse, ids), most);
}

}  // namespace Tessera::oracle
