#pragma once
/// \file
/// The values of a smoothed prolongator with several vectors on CUDA: a warp takes a row, each lane sums up
/// numbers of its own, in the order of the row.
#include "core/cuda_check.cuh"
#include "galerkin/prolongator_body.hpp"

namespace Tessera::galerkin {
namespace detail {

struct SmoothBlocksLaunch {
  static constexpr int threads = 128, warps = threads / 32;
  static constexpr int each = 2;  ///< numbers a lane sums up in one walk over the row
};

template <int Width>
__global__ void __launch_bounds__(SmoothBlocksLaunch::threads)
    smooth_blocks_kernel(Index rows, SmoothBody<Width> body) {
  constexpr int each = SmoothBlocksLaunch::each;
  constexpr unsigned all = 0xffffffffu;
  int const m = Width > 0 ? Width : body.vectors, lane = static_cast<int>(threadIdx.x) % 32;
  auto const i = static_cast<Index>(blockIdx.x * SmoothBlocksLaunch::warps + threadIdx.x / 32);
  if (i >= rows) return;
  auto const begin = body.P.offsets[i];
  auto const length = static_cast<int>(body.P.offsets[i + 1] - begin);
  if (length == 0) return;
  double const d = body.diagonal[i], factor = body.omega() / d;
  Index const home = body.aggregate[i];
  double const* const own = body.tentative_row(i, m);
  auto const first_k = body.A.offsets[i], end = body.A.offsets[i + 1];
  for (int s0 = 0; s0 < length; s0 += 32 * each) {
    Index mine[each];  // the aggregate whose sum it is
    int component[each];
    double sum[each];
#pragma unroll
    for (int q = 0; q < each; ++q) {
      int const s = s0 + q * 32 + lane;
      component[q] = s % m;
      mine[q] = s < length ? (body.P.column[begin + s] - component[q]) / m : -2;
      sum[q] = 0;
    }
    for (auto k0 = first_k; k0 < end; k0 += 32) {
      auto const k = k0 + lane;
      Index j = -1, of = -1;
      double a = 0;
      if (k < end) {
        j = body.A.column[k];
        if (body.entries.keeps(i, j, k)) {
          of = body.aggregate[j];
          a = j == i ? d : body.A.value[k];
        }
      }
      // Neighbouring columns of one aggregate are taken together: mostly the unknowns of a node.
      Index const j_before = __shfl_up_sync(all, j, 1), of_before = __shfl_up_sync(all, of, 1);
      bool const goes_on = lane > 0 && j == j_before + 1 && j != body.A.rows && of == of_before;
      unsigned heads = __ballot_sync(all, k < end && !goes_on);
      int const count = end - k0 < 32 ? static_cast<int>(end - k0) : 32;
      while (heads != 0) {
        int const head = __ffs(static_cast<int>(heads)) - 1;
        heads &= heads - 1;
        int const stop = heads == 0 ? count : __ffs(static_cast<int>(heads)) - 1;
        Index const here = __shfl_sync(all, of, head);
        if (here < 0) continue;
        double const* t = body.tentative_row(__shfl_sync(all, j, head), m);
        for (int e = head; e < stop; ++e, t += m) {
          double const from = __shfl_sync(all, a, e);
#pragma unroll
          for (int q = 0; q < each; ++q) {
            if (here == mine[q]) sum[q] += from * t[component[q]];
          }
        }
      }
    }
#pragma unroll
    for (int q = 0; q < each; ++q) {
      int const s = s0 + q * 32 + lane;
      if (s < length) body.value[begin + s] = (mine[q] == home ? own[component[q]] : 0.0) - factor * sum[q];
    }
  }
}

}  // namespace detail

template <int Width>
void smooth_rows(Cuda const& space, Index rows, SmoothBody<Width> const& body) {
  if (rows == 0) return;
  constexpr Index warps = detail::SmoothBlocksLaunch::warps;
  detail::smooth_blocks_kernel<<<static_cast<unsigned>((rows + warps - 1) / warps),
                                 detail::SmoothBlocksLaunch::threads, 0, space.stream>>>(rows, body);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::galerkin
