#pragma once
/// \file
/// The matrix of nodes on CUDA: a warp takes a node, its entries are read together.
#include "aggregation/node_matrix_body.hpp"
#include "core/cuda_check.cuh"
#include "sparse/row_entries.hpp"

namespace Tessera::aggregation {
namespace detail {

struct NodeLaunch {
  static constexpr int threads = 256, warps = threads / 32;
};

inline __global__ void __launch_bounds__(NodeLaunch::threads)
    fill_nodes_kernel(Index nodes, FillNodesBody body) {
  constexpr unsigned all = 0xffffffffu;
  auto const I = static_cast<Index>(blockIdx.x * NodeLaunch::warps + threadIdx.x / 32);
  if (I >= nodes) return;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  Offset const begin = body.offsets[I], end = body.offsets[I + 1];
  for (auto p = begin + lane; p < end; p += 32) body.value[p] = 0.0;
  __syncwarp();
  auto const& A = body.rows.A;
  for (int e = 0; e < body.rows.equations; ++e) {
    auto const row = static_cast<Offset>(I) * body.rows.equations + e;
    for (auto k0 = A.offsets[row]; k0 < A.offsets[row + 1]; k0 += 32) {
      auto const k = k0 + lane;
      bool const mine = k < A.offsets[row + 1] && body.counts(k, e);
      Index const J = mine ? body.rows.column_node(k) : FillNodesBody::none;
      double* const target = body.value + (mine ? position_of(J, body.column, begin, end) : begin);
      double const term = mine ? body.term(k) : 0.0;
      // Entries of one block are added one after the other.
      int const turn = __popc(__match_any_sync(all, J) & ((1u << lane) - 1u));
      for (int t = 0; __any_sync(all, mine && turn >= t) != 0; ++t) {
        if (mine && turn == t) *target += term;
        __syncwarp();
      }
    }
  }
  for (auto p = begin + lane; p < end; p += 32) body.value[p] = body.result(body.value[p]);
}

/// For take_entries.
struct MaskOfEntry {
  EntryMaskBody body;
  TESSERA_HD Offset begin(Index I) const { return body.rows.begin(I); }
  TESSERA_HD Offset end(Index I) const { return body.rows.end(I); }
  TESSERA_HD Offset start(Index I) const { return begin(I); }
  TESSERA_HD bool operator()(Index, Offset) const { return true; }
  TESSERA_HD void take(Index I, Offset k, Offset) const {
    body.strong[k] = body.of_block(I, body.rows.column_node(k));
  }
};

}  // namespace detail

inline void fill_nodes(Cuda const& space, Index nodes, FillNodesBody const& body) {
  if (nodes == 0) return;
  constexpr Index warps = detail::NodeLaunch::warps;
  detail::fill_nodes_kernel<<<static_cast<unsigned>((nodes + warps - 1) / warps), detail::NodeLaunch::threads,
                              0, space.stream>>>(nodes, body);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

inline void mask_entries(Cuda const& space, Index nodes, EntryMaskBody const& body) {
  sparse::take_entries(space, nodes, body.rows.A.column.size(), detail::MaskOfEntry{body});
}

}  // namespace Tessera::aggregation
