#pragma once
/// \file
/// The last phase of aggregation on CUDA: a group of threads takes a vertex, each lane an edge and the sum of
/// the weights to that edge's aggregate.
#include "aggregation/aggregates_driver.hpp"
#include "core/cuda_check.cuh"
#include "sparse/row_entries.hpp"

namespace Tessera::aggregation {
namespace detail {

/// Sums of one lane run over the edges in their order, as JoinStrongestBody::connection does.
template <int Lanes>
__global__ void __launch_bounds__(sparse::detail::RowEntriesLaunch::threads)
    join_strongest_kernel(Index size, JoinStrongestBody body) {
  sparse::ThreadGroup<Lanes> const group;
  auto const p = static_cast<Index>(blockIdx.x * (sparse::detail::RowEntriesLaunch::threads / Lanes) +
                                    threadIdx.x / Lanes);
  if (p >= size) return;
  Index const v = body.list[p];
  auto const begin = body.graph.offsets[v], end = body.graph.offsets[v + 1];
  double strongest = 0.0;
  VertexId chosen = -1;
  Index through = -1;  ///< a neighbour in the chosen aggregate
  for (auto first = begin; first < end; first += Lanes) {
    Index const u = first + group.lane < end ? body.graph.neighbour[first + group.lane] : -1;
    VertexId const root = u < 0 ? -1 : body.root_id[u];
    double sum = 0.0;
    for (auto from = begin; from < end; from += Lanes) {
      auto const e = from + group.lane;
      VertexId const other = e < end ? body.root_id[body.graph.neighbour[e]] : -1;
      double const weight = e < end ? static_cast<double>(body.graph.weight[e]) : 0.0;
      int const count = end - from < Lanes ? static_cast<int>(end - from) : Lanes;
      for (int l = 0; l < count; ++l) {
        VertexId const here = __shfl_sync(group.mask, other, l, Lanes);
        double const term = __shfl_sync(group.mask, weight, l, Lanes);
        if (here == root) sum += term;
      }
    }
    double const strength = coarsely_rounded(sum);
    if (root >= 0 && (chosen < 0 || strength > strongest || (strength == strongest && root < chosen))) {
      strongest = strength;
      chosen = root;
      through = u;
    }
  }
  for (int distance = Lanes / 2; distance > 0; distance /= 2) {
    double const strength = __shfl_down_sync(group.mask, strongest, distance, Lanes);
    VertexId const root = __shfl_down_sync(group.mask, chosen, distance, Lanes);
    Index const u = __shfl_down_sync(group.mask, through, distance, Lanes);
    if (root >= 0 && (chosen < 0 || strength > strongest || (strength == strongest && root < chosen))) {
      strongest = strength;
      chosen = root;
      through = u;
    }
  }
  if (group.lane == 0 && chosen >= 0) body.aggregate[v] = body.aggregate[through];
}

}  // namespace detail

inline void join_strongest(Cuda const& space, std::size_t size, StrengthGraph<Cuda> const& graph,
                           JoinStrongestBody const& body) {
  if (size == 0) return;
  auto const n = static_cast<Index>(size);
  sparse::detail::with_lanes(graph.nodes(), graph.neighbour.size(), [&](auto lanes) {
    constexpr int width = decltype(lanes)::value;
    detail::join_strongest_kernel<width>
        <<<sparse::detail::row_blocks(n, width), sparse::detail::RowEntriesLaunch::threads, 0,
           space.stream>>>(n, body);
  });
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::aggregation
