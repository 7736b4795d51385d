#pragma once
/// \file
/// The smoothed prolongator on CUDA for one equation a vertex. Values: a group of threads takes a row, each
/// lane keeps some aggregates. Columns, where rows are few and long, as on coarse levels, likewise: with
/// 56 000 to 103 000 rows of 30 to 60 entries that takes a quarter to a sixth of the time of one thread a
/// row; with a million of 7 or 27 it takes longer.
#include "core/cuda_check.cuh"
#include "core/group_cuda.cuh"
#include "galerkin/prolongator_body.hpp"

namespace Tessera::galerkin {
namespace detail {

struct ProlongatorLaunch {
  static constexpr int threads = 256;
  static constexpr Index few_rows = 1 << 18;
  static constexpr Offset long_row = 10;
};

inline bool few_and_long(sparse::CsrView<double> const& A) {
  return A.rows <= ProlongatorLaunch::few_rows &&
         static_cast<Offset>(A.column.size()) > ProlongatorLaunch::long_row * A.rows;
}

/// The distinct aggregates of a vertex and its neighbours, one a lane, in no order.
template <int Lanes>
struct LaneList {
  core::ThreadGroup<Lanes> group;
  Index rank = NeighbouringAggregates::none;  ///< this lane's
  int size = 0;                               ///< Lanes + 1: there are more

  __device__ void add(Index added) {
    bool const known = (__ballot_sync(group.mask, rank == added) & group.mask) != 0;
    if (known || size > Lanes) return;
    if (group.lane == size) rank = added;
    ++size;
  }
  __device__ void collect(NeighbouringAggregates const& around, Index vertex) {
    Index const row = vertex * around.equations;
    add(around.order.rank_of(around.aggregate[row]));
    for (int e = 0; e < around.equations; ++e) collect_row(around, row + e);
  }
  __device__ void collect_row(NeighbouringAggregates const& around, Index row) {
    auto const end = around.A.offsets[row + 1];
    for (auto first = around.A.offsets[row]; first < end; first += Lanes) {
      auto const k = first + group.lane;
      Index found = NeighbouringAggregates::none;
      if (k < end) {
        auto const j = around.A.column[k];
        auto const local = around.aggregate[j];
        if (local >= 0 && around.entries.keeps(row, j, k)) found = around.order.rank_of(local);
      }
      auto pending = __ballot_sync(group.mask, found != NeighbouringAggregates::none) & group.mask;
      while (pending != 0) {
        auto const next = __shfl_sync(group.mask, found, __ffs(static_cast<int>(pending)) - 1);
        add(next);
        pending &= ~__ballot_sync(group.mask, found == next);
      }
    }
  }
  /// How many ranks of the list are smaller than this lane's.
  __device__ int place() const {
    int smaller = 0;
    for (int s = 0; s < size; ++s) smaller += __shfl_sync(group.mask, rank, s, Lanes) < rank ? 1 : 0;
    return smaller;
  }
};

template <int Lanes>
__device__ Index row_of_group() {
  return static_cast<Index>(blockIdx.x * (ProlongatorLaunch::threads / Lanes) + threadIdx.x / Lanes);
}

template <int Lanes>
__global__ void __launch_bounds__(ProlongatorLaunch::threads)
    count_columns_kernel(Index vertices, CountBody body) {
  auto const v = row_of_group<Lanes>();
  if (v >= vertices) return;
  LaneList<Lanes> list;
  int const equations = body.neighbours.equations;
  bool const alone = body.neighbours.aggregate[v * equations] < 0;
  if (!alone) list.collect(body.neighbours, v);
  if (list.group.lane != 0) return;
  Index total = list.size;
  if (total > Lanes) {
    total = 0;
    body.neighbours.visit(v, CountBody::Add{total});
  }
  for (int e = 0; e < equations; ++e) body.count[v * equations + e] = total * body.vectors;
}

template <int Lanes>
__global__ void __launch_bounds__(ProlongatorLaunch::threads)
    write_columns_kernel(Index vertices, ColumnsBody body) {
  auto const v = row_of_group<Lanes>();
  int const equations = body.neighbours.equations;
  if (v >= vertices || body.neighbours.aggregate[v * equations] < 0) return;
  LaneList<Lanes> list;
  list.collect(body.neighbours, v);
  if (list.size > Lanes) {
    if (list.group.lane == 0) body(v);
    return;
  }
  int const place = list.place();
  if (list.group.lane >= list.size) return;
  Index const first = body.neighbours.order.local_of(list.rank) * body.vectors;
  for (int e = 0; e < equations; ++e) {
    Index* const target = body.column.data() + body.offsets[v * equations + e] + place * body.vectors;
    for (int c = 0; c < body.vectors; ++c) target[c] = first + c;
  }
}

/// Each lane sums up what belongs to some of the row's aggregates, in the order of the row; entries are
/// handed round by shuffles. Rows of a warp go round together.
template <int Lanes>
__global__ void __launch_bounds__(ProlongatorLaunch::threads) smooth_kernel(Index rows, SmoothBody<1> body) {
  constexpr unsigned warp = 0xffffffffu;
  constexpr int kept = 2, batch = 2;  // aggregates and entries of a lane at a time
  auto const i = row_of_group<Lanes>();
  int const lane = static_cast<int>(threadIdx.x) % Lanes;
  bool const any = i < rows;
  auto const begin = any ? body.P.offsets[i] : 0;
  auto const length = any ? static_cast<int>(body.P.offsets[i + 1] - begin) : 0;
  bool const wanted = length > 0;
  double const d = wanted ? body.diagonal[i] : 1.0;
  double const factor = body.omega() / d;
  Index const home = wanted ? body.aggregate[i] : -1;
  auto const row_begin = wanted ? body.A.offsets[i] : 0, row_end = wanted ? body.A.offsets[i + 1] : 0;
  for (int s0 = lane; __any_sync(warp, s0 < length); s0 += kept * Lanes) {
    Index mine[kept];
    double sum[kept] = {};
#pragma unroll
    for (int q = 0; q < kept; ++q)
      mine[q] = s0 + q * Lanes < length ? body.P.column[begin + s0 + q * Lanes] : -2;
    for (auto k = row_begin + lane; __any_sync(warp, k < row_end); k += batch * Lanes) {
      Index of[batch];
      double term[batch];
#pragma unroll
      for (int e = 0; e < batch; ++e) {
        auto const at = k + e * Lanes;
        of[e] = -1;
        term[e] = 0;
        if (at < row_end) {
          Index const j = body.A.column[at];
          if (body.entries.keeps(i, j, at)) {
            of[e] = body.aggregate[j];
            term[e] = (j == i ? d : body.A.value[at]) * *body.tentative_row(j, 1);
          }
        }
      }
#pragma unroll
      for (int e = 0; e < batch; ++e) {
#pragma unroll
        for (int l = 0; l < Lanes; ++l) {
          Index const here = __shfl_sync(warp, of[e], l, Lanes);
          double const next = __shfl_sync(warp, term[e], l, Lanes);
#pragma unroll
          for (int q = 0; q < kept; ++q) {
            if (here == mine[q]) sum[q] += next;
          }
        }
      }
    }
#pragma unroll
    for (int q = 0; q < kept; ++q) {
      int const s = s0 + q * Lanes;
      if (s < length) body.value[begin + s] = (mine[q] == home ? body.own[i] : 0.0) - factor * sum[q];
    }
  }
}

template <class Work>
void with_row_lanes(sparse::CsrView<double> const& A, Work const& work) {
  auto const average = A.rows == 0 ? 0.0 : static_cast<double>(A.column.size()) / A.rows;
  if (average <= 20) {
    work(std::integral_constant<int, 16>{});
  } else {
    work(std::integral_constant<int, 32>{});
  }
}

inline unsigned row_blocks(Index rows, int lanes) {
  auto const groups = static_cast<unsigned>(ProlongatorLaunch::threads / lanes);
  return (static_cast<unsigned>(rows) + groups - 1) / groups;
}

}  // namespace detail

inline Array<Index, Cuda> count_columns(Cuda const& space, NeighbouringAggregates const& neighbours,
                                        std::size_t vertices, int vectors, Span<Index> count) {
  if (neighbours.equations == 1 && !detail::few_and_long(neighbours.A))
    return count_columns<Cuda>(space, neighbours, vertices, vectors, count);
  auto const n = static_cast<Index>(vertices);
  if (n == 0) return {};
  detail::with_row_lanes(neighbours.A, [&](auto lanes) {
    constexpr int width = decltype(lanes)::value;
    detail::count_columns_kernel<width>
        <<<detail::row_blocks(n, width), detail::ProlongatorLaunch::threads, 0, space.stream>>>(
            n, CountBody{neighbours, vectors, count, {}});
  });
  TESSERA_CUDA_CHECK(cudaGetLastError());
  return {};
}

inline void write_columns(Cuda const& space, NeighbouringAggregates const& neighbours, std::size_t vertices,
                          int vectors, Span<Offset const> offsets, Array<Index, Cuda> const& lists,
                          Span<Index> column) {
  if (neighbours.equations == 1 && !detail::few_and_long(neighbours.A))
    return write_columns<Cuda>(space, neighbours, vertices, vectors, offsets, lists, column);
  auto const n = static_cast<Index>(vertices);
  if (n == 0) return;
  detail::with_row_lanes(neighbours.A, [&](auto lanes) {
    constexpr int width = decltype(lanes)::value;
    detail::write_columns_kernel<width>
        <<<detail::row_blocks(n, width), detail::ProlongatorLaunch::threads, 0, space.stream>>>(
            n, ColumnsBody{neighbours, vectors, offsets, {}, column});
  });
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

inline void smooth_rows(Cuda const& space, Index rows, SmoothBody<1> const& body) {
  if (rows == 0) return;
  auto const launch = [&](auto lanes) {
    constexpr int width = decltype(lanes)::value;
    detail::smooth_kernel<width>
        <<<detail::row_blocks(rows, width), detail::ProlongatorLaunch::threads, 0, space.stream>>>(rows,
                                                                                                   body);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  };
  auto const length = static_cast<double>(body.A.column.size()) / rows;
  if (length <= 10) return launch(std::integral_constant<int, 4>{});
  if (length <= 50) return launch(std::integral_constant<int, 8>{});
  return launch(std::integral_constant<int, 16>{});
}

}  // namespace Tessera::galerkin
