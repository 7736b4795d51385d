#pragma once
/// \file
/// Matrices that every rank has as a whole, distributed in several ways.

#include <algorithm>
#include <vector>

#include "aggregation/aggregates.hpp"
#include "core/hash.hpp"
#include "oracle/aggregation_oracle.hpp"
#include "support/world.hpp"

namespace Tessera::test {

/// n x n, row-major; zeros are not stored.
struct Whole {
  explicit Whole(GlobalIndex rows) : n(rows), value(rows * rows, 0.0) {}
  Whole(GlobalIndex rows, std::vector<double> entries) : n(rows), value(std::move(entries)) {}
  double& operator()(GlobalIndex i, GlobalIndex j) { return value[i * n + j]; }
  double operator()(GlobalIndex i, GlobalIndex j) const { return value[i * n + j]; }
  void couple(GlobalIndex i, GlobalIndex j, double a) { (*this)(i, j) = (*this)(j, i) = a; }
  GlobalIndex n;
  std::vector<double> value;
};

/// Even shares; all rows on the first rank; all on the last; shares that grow with the rank, where odd ranks
/// are empty if there are more than two ranks.
constexpr int ways_to_share = 4;

inline comm::Distribution shared_out(GlobalIndex n, int way, int whole = 1) {
  auto const comm = world();
  int const size = comm.size();
  std::vector<GlobalIndex> part(size, 0);
  GlobalIndex total = 0;
  for (int r = 0; r < size; ++r) {
    bool const empty =
        (way == 1 && r != 0) || (way == 2 && r != size - 1) || (way == 3 && size > 2 && r % 2 == 1);
    part[r] = empty ? 0 : (way == 3 ? r + 1 : 1);
    total += part[r];
  }
  GlobalIndex before = 0;
  for (int r = 0; r < comm.rank(); ++r) before += part[r];
  auto const cut = [&](GlobalIndex at) { return n / whole * at / total * whole; };
  return {comm, static_cast<Index>(cut(before + part[comm.rank()]) - cut(before))};
}

inline comm::DistCsr<double, Host> distributed(Whole const& A, comm::Distribution const& rows) {
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    for (GlobalIndex j = 0; j < A.n; ++j) {
      if (A(i, j) == 0.0) continue;
      column.push_back(j);
      value.push_back(A(i, j));
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(rows, rows, offsets, column, value);
}

/// Couplings of -1 between grid neighbours, `diagonal` on the diagonal.
inline Whole grid(int nx, int ny, int nz = 1, double diagonal = 6.0) {
  Whole A(static_cast<GlobalIndex>(nx) * ny * nz);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    auto const x = i % nx, y = i / nx % ny, z = i / nx / ny;
    A(i, i) = diagonal;
    if (x + 1 < nx) A.couple(i, i + 1, -1.0);
    if (y + 1 < ny) A.couple(i, i + nx, -1.0);
    if (z + 1 < nz) A.couple(i, i + nx * ny, -1.0);
  }
  return A;
}

inline Whole path(int n) {
  return grid(n, 1, 1, 2.0);
}

/// Vertex 0 is coupled to all others.
inline Whole star(int n) {
  Whole A = grid(n, 1, 1, 4.0);
  for (GlobalIndex i = 0; i < n; ++i) {
    for (GlobalIndex j = 0; j < n; ++j) {
      if (i != j) A(i, j) = i == 0 || j == 0 ? -1.0 : 0.0;
    }
  }
  return A;
}

/// About `degree` couplings per vertex, each minus a power of two from 1/8 to 1; the diagonal is 1, so that
/// scaled couplings and their sums are exact. Some vertices have no coupling.
inline Whole random_graph(int n, double degree, int seed) {
  Whole A(n);
  for (GlobalIndex i = 0; i < n; ++i) {
    A(i, i) = 1.0;
    for (GlobalIndex j = 0; j < i; ++j) {
      auto const lot = core::mix64(static_cast<std::uint64_t>(i * n + j) + core::mix64(seed));
      if (static_cast<double>(lot % 10007) < degree / n * 10007 && i % 11 != 5 && j % 11 != 5)
        A.couple(i, j, -1.0 / static_cast<double>(1 << (lot >> 40) % 4));
    }
  }
  return A;
}

/// Two grids, a path, a lone vertex.
inline Whole pieces() {
  Whole A(9 + 6 + 4 + 1);
  auto const put = [&](Whole const& B, GlobalIndex at) {
    for (GlobalIndex i = 0; i < B.n; ++i) {
      for (GlobalIndex j = 0; j < B.n; ++j) A(at + i, at + j) = B(i, j);
    }
  };
  put(grid(3, 3), 0);
  put(grid(3, 2), 9);
  put(path(4), 15);
  A(19, 19) = 1.0;
  return A;
}

inline std::vector<Whole> many_problems() {
  return {path(1),
          path(2),
          path(30),
          star(17),
          pieces(),
          grid(13, 11),
          grid(6, 5, 7),
          random_graph(120, 3.0, 1),
          Whole(0),
          random_graph(90, 8.0, 2),
          random_graph(150, 1.5, 3)};
}

/// An id for each vertex that does not depend on its number.
inline VertexId id_of(GlobalIndex i) {
  return (i * 7919 + 13) % 100003;
}

inline Array<VertexId, Host> ids_of(comm::Distribution const& distribution) {
  Array<VertexId, Host> ids(Host{}, distribution.local_size());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = id_of(distribution.begin() + i);
  return ids;
}

/// The graph of all couplings, weights |a_ij| / sqrt(a_ii a_jj).
inline oracle::WholeGraph whole_graph(Whole const& A) {
  oracle::WholeGraph graph(A.n);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    graph.ids[i] = id_of(i);
    for (GlobalIndex j = 0; j < A.n; ++j) {
      if (i != j) graph.weight[i][j] = std::fabs(A(i, j)) / std::sqrt(A(i, i) * A(j, j));
    }
  }
  return graph;
}

/// The values of all ranks on every rank, in global order.
template <class T>
std::vector<T> gathered(T const* begin, T const* end) {
  std::vector<double> const mine(begin, end);
  auto const all = world().all_gather(mine);
  return std::vector<T>(all.begin(), all.end());
}

inline aggregation::StrengthGraph<Host> graph_of(comm::DistCsr<double, Host> const& A,
                                                 aggregation::StrengthParameters const& parameters = {}) {
  return aggregation::strength(Host{}, A, {}, parameters);
}

}  // namespace Tessera::test
