#pragma once
/// \file
/// Problems that every rank generates as a whole, distributed in several ways, and dense copies of
/// distributed matrices.

#include <algorithm>
#include <vector>

#include "core/hash.hpp"
#include "galerkin/prolongator.hpp"
#include "galerkin/tentative.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "support/distribute.hpp"

namespace Tessera::test {

/// Ways to distribute vertices over ranks.
enum class Split { even, uneven, all_on_last, odd_ranks_empty };
constexpr Split all_splits[] = {Split::even, Split::uneven, Split::all_on_last, Split::odd_ranks_empty};

/// The rows of n distributed vertices with `equations` rows each.
inline comm::Distribution split(comm::Communicator const& comm, Split how, Index n, int equations = 1) {
  auto const weight = [&](int rank) -> Index {
    switch (how) {
      case Split::even:
        return 1;
      case Split::uneven:
        return 1 + 3 * (rank % 3);
      case Split::all_on_last:
        return rank + 1 == comm.size() ? 1 : 0;
      default:
        return rank % 2 == 0 ? 1 : 0;
    }
  };
  Index before = 0, through = 0, all = 0;
  for (int r = 0; r < comm.size(); ++r) {
    if (r < comm.rank()) before += weight(r);
    if (r <= comm.rank()) through += weight(r);
    all += weight(r);
  }
  return {comm, (n * through / all - n * before / all) * equations};
}

/// This rank's part of a whole array, `width` numbers per owned index.
template <class T>
std::vector<T> part(comm::Distribution const& distribution, std::vector<T> const& whole, Offset width = 1) {
  return {whole.begin() + distribution.begin() * width, whole.begin() + distribution.end() * width};
}

template <class T>
Span<T const> view(std::vector<T> const& x) {
  return {x.data(), x.size()};
}
template <class T>
Span<T> span(std::vector<T>& x) {
  return {x.data(), x.size()};
}

/// The whole matrix, on every rank.
inline oracle::Dense gathered(comm::DistCsr<double, Host> const& A) {
  auto const global = comm::global_columns(A.halo);
  std::vector<double> mine;
  for (Index i = 0; i < A.local.rows; ++i) {
    for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k) {
      mine.insert(mine.end(), {static_cast<double>(A.rows.begin() + i),
                               static_cast<double>(global[A.local.column[k]]), A.local.value[k]});
    }
  }
  auto const all = A.rows.comm().all_gather(mine);
  oracle::Dense dense(static_cast<Index>(A.rows.global_size()),
                      static_cast<Index>(A.columns().global_size()));
  for (std::size_t k = 0; k < all.size(); k += 3) {
    dense(static_cast<Index>(all[k]), static_cast<Index>(all[k + 1])) += all[k + 2];
  }
  return dense;
}

/// Owned rows of width numbers each, on every rank.
inline oracle::Dense gathered(comm::Communicator const& comm, Span<double const> rows, Index width) {
  auto all = comm.all_gather(std::vector<double>(rows.begin(), rows.end()));
  auto const count = static_cast<Index>(width == 0 ? 0 : all.size() / width);
  return {count, width, std::move(all)};
}

/// Columns stored in ascending order of their global index.
inline bool columns_ascend(comm::DistCsr<double, Host> const& A) {
  auto const global = comm::global_columns(A.halo);
  for (Index i = 0; i < A.local.rows; ++i) {
    for (auto k = A.local.offsets[i] + 1; k < A.local.offsets[i + 1]; ++k) {
      if (global[A.local.column[k - 1]] >= global[A.local.column[k]]) return false;
    }
  }
  return true;
}

/// root[v]: the root of v's aggregate (-1: none); root[root[v]] == root[v].
inline aggregation::Aggregates<Host> aggregates(comm::Distribution const& vertices,
                                                std::vector<GlobalIndex> const& root) {
  std::vector<GlobalIndex> roots;
  for (GlobalIndex v = 0; v < static_cast<GlobalIndex>(root.size()); ++v) {
    if (root[v] == v) roots.push_back(v);
  }
  auto const number = [&](GlobalIndex r) {
    return r < 0 ? r : std::lower_bound(roots.begin(), roots.end(), r) - roots.begin();
  };
  std::vector<VertexId> ids;
  for (auto const r : roots) {
    if (vertices.owns(r)) ids.push_back(r);
  }
  std::vector<GlobalIndex> of;
  for (auto v = vertices.begin(); v < vertices.end(); ++v) of.push_back(number(root[v]));
  aggregation::Aggregates<Host> result;
  result.coarse = comm::Distribution(vertices.comm(), static_cast<Index>(ids.size()));
  result.aggregate = core::to_space(Host{}, of);
  result.ids = core::to_space(Host{}, ids);
  return result;
}

/// n vertices in about n / size aggregates of any shape; one in `lonely` vertices has none (0: all have).
inline std::vector<GlobalIndex> random_roots(Index n, Index size, Index lonely, int seed) {
  std::vector<GlobalIndex> roots, root(n, -1);
  for (Index v = 0; v < n; v += size) roots.push_back(std::min<Index>(n - 1, v + (v + seed) % size));
  for (Index v = 0; v < n; ++v) {
    auto const number = core::mix64(v * 17 + seed);
    // A root near v, so that patterns stay sparse, and sometimes a far one.
    auto const near = std::min<std::size_t>(roots.size() - 1, v / size + number % 2);
    root[v] = roots[number % 13 == 0 ? number % roots.size() : near];
    if (lonely > 0 && number / 16 % lonely == 0) root[v] = -1;
  }
  for (auto const r : roots) root[r] = r;
  return root;
}

/// A mesh of nodes with `equations` unknowns each: the pattern of graph, blocks of random numbers, symmetric,
/// diagonally dominant.
inline sparse::Csr<double, Host> blocks(sparse::Csr<double, Host> const& graph, int equations, int seed) {
  oracle::Dense A(graph.rows * equations, graph.rows * equations);
  for (Index v = 0; v < graph.rows; ++v) {
    for (auto k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k) {
      for (int e = 0; e < equations; ++e) {
        for (int f = 0; f < equations; ++f) {
          Index const i = v * equations + e, j = graph.column[k] * equations + f;
          Index const low = std::min(i, j), high = std::max(i, j);
          A(i, j) =
              i == j ? 8.0 * equations + core::uniform(i, seed) : core::uniform(low * 1000 + high, seed);
        }
      }
    }
  }
  return oracle::to_csr(A);
}

/// Near-nullspace vectors with little structure.
inline std::vector<double> vectors(Index rows, int count, int seed) {
  std::vector<double> B;
  for (Index i = 0; i < rows * count; ++i) B.push_back(i % count == 0 ? 1.0 : core::uniform(i, seed));
  return B;
}

}  // namespace Tessera::test
