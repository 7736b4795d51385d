#pragma once
/// \file
/// Dense systems of more than 16 rows on CUDA: one warp with the matrix in registers, or one block with the
/// matrix in shared memory. Larger matrices are in device memory.
#include "fsai/batch/block_factor_cuda.cuh"
#include "fsai/batch/row_task_cuda.cuh"
#include "fsai/parameters.hpp"

namespace Tessera::fsai::detail {

/// Entries i = thread, thread + threads, ... of the solution x of L^T x = the last unit vector.
template <int Rows>
__device__ void substitute(BlockMemory const& memory, int size, double (&x)[Rows]) {
  double minus_r[Rows];
  int const threads = blockDim.x;
#pragma unroll
  for (int s = 0; s < Rows; ++s) {
    int const j = s * threads + threadIdx.x;
    x[s] = j == size - 1 ? 1.0 : 0.0;
    minus_r[s] = j < tile * memory.tiles ? memory.minus_r(j) : 0.0;
  }
#pragma unroll 1
  for (int I = (size - 1) / tile; I >= 0; --I) {
#pragma unroll
    for (int s = 0; s < Rows; ++s) {
      int const j = s * threads + threadIdx.x;
      if (j / tile != I) continue;
      unsigned const mine = 0xffu << (threadIdx.x % 32 / tile * tile);
      double const* const square = memory.matrix.data + TileTriangle::offset(I, I);
      double l[tile];
#pragma unroll
      for (int k = 1; k < tile; ++k)
        l[k] = j % tile < k ? square[TileTriangle::within(k, j)] * minus_r[s] : 0.0;
#pragma unroll
      for (int k = tile - 1; k > 0; --k) x[s] = fma(l[k], __shfl_sync(mine, x[s], k, tile), x[s]);
      memory.solution[j] = x[s];
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < Rows; ++s) {
      int const j = s * threads + threadIdx.x;
      if (j >= I * tile) continue;
      double const* const v = memory.matrix.data + TileTriangle::offset(I, j / tile);
      double l[tile];
#pragma unroll
      for (int k = 0; k < tile; ++k) l[k] = v[TileTriangle::within(k, j)] * minus_r[s];
#pragma unroll
      for (int k = tile - 1; k >= 0; --k) x[s] = fma(l[k], memory.solution[I * tile + k], x[s]);
    }
  }
}

/// The largest power of two below n, for find_column.
__device__ inline int search_step(int n) {
  return n > 1 ? 1 << (31 - __clz(n - 1)) : 0;
}

/// Solves row p of the task in the block's memory. factorise(m, pivots) returns whether this thread has
/// pivots. Rows: numbers of the solution of a thread. width: lanes that read a row of A.
template <int Rows, class Factorise>
__device__ void solve_system(RowTask const& task, Index p, BlockMemory const& memory, int width,
                             Factorise const& factorise) {
  core::ThreadGroup<2048> group;
  group.lane = threadIdx.x;
  int const m = task.size(p);
  task.columns(group, blockDim.x, p, m, memory.columns);
  auto* const pairs = reinterpret_cast<double2*>(memory.matrix.data);
  for (int k = threadIdx.x; k < TileTriangle::doubles(memory.tiles) / 2; k += blockDim.x)
    pairs[k] = double2{0, 0};
  __syncthreads();
  for (int i = m + threadIdx.x; i < tile * memory.tiles; i += blockDim.x) memory.matrix.at(i, i) = 1.0;
  task.gather(threadIdx.x % width, width, memory.columns, 0, m, search_step(m), threadIdx.x / width,
              blockDim.x / width, [&](int i, int j, double a) { memory.matrix.at(i, j) = a; });
  __syncthreads();
  Pivots pivots;
  bool const mine = factorise(m, pivots);
  double x[Rows];
  substitute<Rows>(memory, m, x);
  if (mine && pivots.failed && threadIdx.x % 32 == 0) task.fail(p);
  double const scale = 1.0 / sqrt(memory.matrix.at(m - 1, m - 1));
#pragma unroll
  for (int s = 0; s < Rows; ++s) {
    int const i = s * blockDim.x + threadIdx.x;
    if (i < m) task.target(p)[i] = x[s] * scale;
  }
}

/// One warp for each row of at most `Tiles` tiles, in registers.
template <int Tiles>
__global__ void __launch_bounds__(32) warp_rows_kernel(RowTask task, int width) {
  BlockMemory const memory(Tiles);
  solve_system<(Tiles + 3) / 4>(task, static_cast<Index>(blockIdx.x), memory, width,
                                [&](int m, Pivots& pivots) {
                                  factorise_warp<Tiles>(memory, m, pivots, NoSink{});
                                  return true;
                                });
}

constexpr int large_threads = 256;

/// One block for each row, with at least one thread for each unknown, and shared memory for the largest row.
static __global__ void __launch_bounds__(BlockLayout::max_threads)
    block_rows_kernel(RowTask task, int width) {
  auto const p = static_cast<Index>(blockIdx.x);
  BlockMemory const memory((task.size(p) + tile - 1) / tile);
  solve_system<1>(task, p, memory, width,
                  [&](int, Pivots& pivots) { return factorise_block(memory, pivots, NoSink{}); });
}

/// Systems that exceed shared memory. Each block has `stride` doubles of the workspace, and takes one row
/// after another.
static __global__ void __launch_bounds__(large_threads, 2)
    large_rows_kernel(RowTask task, int width, double* workspace, std::size_t stride) {
  for (auto p = static_cast<Index>(blockIdx.x); p < task.count; p += static_cast<Index>(gridDim.x)) {
    BlockMemory const memory((task.size(p) + tile - 1) / tile, workspace + blockIdx.x * stride);
    solve_system<largest_row / large_threads>(task, p, memory, width, [&](int, Pivots& pivots) {
      return factorise_block(memory, pivots, NoSink{});
    });
    __syncthreads();
  }
}

}  // namespace Tessera::fsai::detail
