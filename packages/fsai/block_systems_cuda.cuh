#pragma once
/// \file
/// Dense systems that fit into shared memory on CUDA: a block takes one.
///
/// Panels of 16 columns. A panel loses its products with all columns before it, 32 rows at a time (a warp; a
/// lane has 4 x 4 numbers in registers); then one warp factorises its square, while the others begin with the
/// next panel; then each thread carries on a row below the square. v stands in place, 1 / d beside it.
#include <cuda_pipeline.h>

#include "fsai/parameters.hpp"
#include "fsai/row_task_cuda.cuh"

namespace Tessera::fsai::detail {

/// Columns of a matrix of `rows` rows (a multiple of 4), each from its row 4 (k / 4) on.
struct BlockLayout {
  static constexpr int panel = 16;
  static constexpr int stage = panel * (32 + panel);  ///< doubles that a warp has on their way, at most
  int rows;
  /// Where row 0 of column k would stand.
  __host__ __device__ int column(int k) const {
    int const quad = k & ~3;
    return quad * (rows - quad / 2 + 1) + (k & 3) * (rows - quad);
  }
  __host__ __device__ int doubles() const { return rows * rows / 2 + 2 * rows; }
  /// Bytes of shared memory, with what stands beside the matrix.
  std::size_t bytes() const { return sizeof(double) * doubles() + bytes_beside(); }
  std::size_t bytes_large(int threads) const {
    return sizeof(double) * 2 * stage * (threads / 32) + bytes_beside();
  }
  std::size_t bytes_beside() const {
    return sizeof(double) * (rows + rows + panel * panel) + sizeof(Index) * (rows + 4);
  }
};

struct BlockMemory {
  BlockLayout layout;
  double* matrix;      ///< in shared memory, or in the device's when that is given
  double* reciprocal;  ///< of the pivots
  double* solution;
  double* square;  ///< l of the square of a panel, by columns
  Index* columns;
  int* next_task;
  double* stage = nullptr;  ///< where columns of a matrix in the device's memory are taken to, two for a warp
  __device__ explicit BlockMemory(int rows) : layout{rows} {
    extern __shared__ __align__(16) unsigned char memory[];
    matrix = reinterpret_cast<double*>(memory);
    lay_out(matrix + layout.doubles());
  }
  __device__ BlockMemory(int rows, double* given) : layout{rows}, matrix(given) {
    extern __shared__ __align__(16) unsigned char memory[];
    stage = reinterpret_cast<double*>(memory);
    lay_out(stage + static_cast<int>(blockDim.x) / 32 * 2 * BlockLayout::stage);
  }
  __device__ void lay_out(double* rest) {
    square = rest;
    int const rows = layout.rows;
    reciprocal = square + BlockLayout::panel * BlockLayout::panel;
    solution = reciprocal + rows;
    columns = reinterpret_cast<Index*>(solution + rows);
    next_task = columns + rows;
  }
  __device__ double2* pair(int offset) const { return reinterpret_cast<double2*>(matrix + offset); }
  __device__ double& at(int i, int j) const { return matrix[layout.column(j) + i]; }
};

/// 16 Pairs rows of a panel, a lane's 2 Pairs x 4 numbers. Rows i[p], i[p] + 1; columns j to j + 3.
template <int Pairs>
struct Slab {
  static constexpr int high = 16 * Pairs;
  int i[Pairs], j;
  bool has[Pairs];
  double c[Pairs][2][4];

  __device__ Slab(BlockMemory const& memory, int target, int top) {
    int const rows = memory.layout.rows, lane = threadIdx.x % 32;
    j = target + lane / 8 * 4;
#pragma unroll
    for (int p = 0; p < Pairs; ++p) {
      i[p] = top + 16 * p + lane % 8 * 2;
      has[p] = j < rows && i[p] < rows && i[p] >= j;
      if (i[p] >= rows) i[p] = rows - 2;
    }
    if (j >= rows) j = rows - 4;
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      int const column = memory.layout.column(j + t);
#pragma unroll
      for (int p = 0; p < Pairs; ++p) {
        double2 const two = has[p] ? *memory.pair(column + i[p]) : double2{0, 0};
        c[p][0][t] = two.x, c[p][1][t] = two.y;
      }
    }
  }
  /// Products with one column: v where row 0 would stand (offsets of rows i: at), w = v at rows j. (Single
  /// loads: what many lanes share comes faster so.)
  __device__ void subtract(double const* v, int const (&at)[Pairs], double const* w, double r) {
    double const l[4] = {w[0] * r, w[1] * r, w[2] * r, w[3] * r};
#pragma unroll
    for (int p = 0; p < Pairs; ++p) {
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        c[p][0][b] = c[p][0][b] - v[at[p]] * l[b];
        c[p][1][b] = c[p][1][b] - v[at[p] + 1] * l[b];
      }
    }
  }
  __device__ void store(BlockMemory const& memory) const {
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      int const column = memory.layout.column(j + t);
#pragma unroll
      for (int p = 0; p < Pairs; ++p) {
        if (has[p]) *memory.pair(column + i[p]) = double2{c[p][0][t], c[p][1][t]};
      }
    }
  }
};

/// Columns k to k + 15 of a slab's rows, and of its columns' rows, on their way into a warp's part of shared
/// memory.
__device__ inline void fetch_panel(BlockMemory const& memory, int k, int target, int top, double* into) {
  constexpr int panel = BlockLayout::panel, high = 32;
  int const last = memory.layout.rows - 2, lane = threadIdx.x % 32;
  int const i = min(top + lane % 16 * 2, last), j = min(target + lane % 8 * 2, last);
#pragma unroll
  for (int q = lane / 16; q < panel; q += 2)
    __pipeline_memcpy_async(into + q * high + lane % 16 * 2, memory.pair(memory.layout.column(k + q) + i),
                            sizeof(double2));
#pragma unroll
  for (int q = lane / 8; q < panel; q += 4)
    __pipeline_memcpy_async(into + panel * high + q * panel + lane % 8 * 2,
                            memory.pair(memory.layout.column(k + q) + j), sizeof(double2));
  __pipeline_commit();
}

/// Rows top to top + 16 Pairs of the 16 columns from `target` on lose their products of columns from, ..., to
/// - 1.
template <int Pairs>
__device__ void update_slab(BlockMemory const& memory, int from, int to, int target, int top) {
  constexpr int panel = BlockLayout::panel;
  int const rows = memory.layout.rows;
  Slab<Pairs> slab(memory, target, top);
  if (memory.stage == nullptr) {
#pragma unroll 1
    for (int quad = from; quad < to; quad += 4) {
      double const* column = memory.matrix + memory.layout.column(quad);
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        slab.subtract(column, slab.i, column + slab.j, memory.reciprocal[quad + t]);
        column += rows - quad;
      }
    }
  } else if constexpr (Pairs == 2) {
    constexpr int high = Slab<Pairs>::high;
    int const lane = threadIdx.x % 32, at[2] = {lane % 8 * 2, lane % 8 * 2 + 16};
    double* const stage = memory.stage + threadIdx.x / 32 * (2 * BlockLayout::stage);
    fetch_panel(memory, from, target, top, stage);
#pragma unroll 1
    for (int k = from; k < to; k += panel) {
      int const turn = (k - from) / panel % 2;
      double const* const v = stage + turn * BlockLayout::stage;
      if (k + panel < to) {
        fetch_panel(memory, k + panel, target, top, stage + (1 - turn) * BlockLayout::stage);
        __pipeline_wait_prior(1);
      } else {
        __pipeline_wait_prior(0);
      }
      __syncwarp();
#pragma unroll 4
      for (int q = 0; q < panel; ++q)
        slab.subtract(v + q * high, at, v + panel * high + q * panel + lane / 8 * 4,
                      memory.reciprocal[k + q]);
      __syncwarp();
    }
  }
  slab.store(memory);
}

/// What a factorisation tells: the last pivot, and the first that is none.
struct Pivots {
  double last = 1, bad = 1;
  bool failed = false;
  __device__ void add(double d) {
    if (!is_pivot(d) && !failed) failed = true, bad = d;
    last = d;
  }
};

/// Where final numbers go besides the matrix: nowhere. square() is called by a warp, row() by a thread.
struct NoSink {
  __device__ void square(BlockMemory const&, int) const {}
  __device__ void row(BlockMemory const&, int, int, double const*) const {}
};

/// The square of the panel at `begin`, by a warp: a lane has every second column of a row.
__device__ inline void factorise_square(BlockMemory const& memory, int begin, int size, Pivots& pivots) {
  constexpr int panel = BlockLayout::panel;
  int const row = threadIdx.x % panel, half = threadIdx.x % 32 / panel, i = begin + row;
  double a[panel / 2];
#pragma unroll
  for (int t = 0; t < panel / 2; ++t)
    a[t] = i < memory.layout.rows && 2 * t + half <= row ? memory.at(i, begin + 2 * t + half) : 0.0;
#pragma unroll
  for (int k = 0; k < panel; ++k) {
    if (begin + k < size) {
      double const d = __shfl_sync(0xffffffffu, a[k / 2], k % 2 * panel + k);
      double const v = __shfl_sync(0xffffffffu, a[k / 2], k % 2 * panel + row);
      pivots.add(d);
      double const r = __drcp_rn(d);
      double const l = v * r;
#pragma unroll
      for (int t = (k + 1) / 2; t < panel / 2; ++t) {
        double const updated = a[t] - v * __shfl_sync(0xffffffffu, l, 2 * t + half);
        if (2 * t + half > k) a[t] = updated;
      }
      if (half == 0) memory.square[k * panel + row] = l;
      if (threadIdx.x % 32 == 0) memory.reciprocal[begin + k] = r;
    }
  }
#pragma unroll
  for (int t = 0; t < panel / 2; ++t) {
    if (i < memory.layout.rows && 2 * t + half <= row) memory.at(i, begin + 2 * t + half) = a[t];
  }
}

/// Row i below the square of the panel at `begin`.
template <class Sink>
__device__ void carry_row(BlockMemory const& memory, int begin, int i, Sink const& sink) {
  constexpr int panel = BlockLayout::panel;
  double a[panel];
  int column[panel / 4];
#pragma unroll
  for (int q = 0; q < panel / 4; ++q) column[q] = memory.layout.column(begin + 4 * q) + i;
#pragma unroll
  for (int j = 0; j < panel; ++j)
    a[j] = memory.matrix[column[j / 4] + j % 4 * (memory.layout.rows - begin - j / 4 * 4)];
#pragma unroll
  for (int k = 0; k < panel - 1; ++k) {
#pragma unroll
    for (int j = k + 1; j < panel; ++j) a[j] = a[j] - a[k] * memory.square[k * panel + j];
  }
#pragma unroll
  for (int j = 1; j < panel; ++j)
    memory.matrix[column[j / 4] + j % 4 * (memory.layout.rows - begin - j / 4 * 4)] = a[j];
  sink.row(memory, begin, i, a);
}

/// The three steps of a factorisation: each of its own, with its own registers, where the matrix is in the
/// device's memory (whose addresses take twice as many, and spilled); else inlined, so that shared memory is
/// known as such.
template <bool Apart>
struct Steps {
  template <int Pairs>
  __device__ static void update(BlockMemory const& memory, int from, int to, int target, int top) {
    update_slab<Pairs>(memory, from, to, target, top);
  }
  __device__ static void square(BlockMemory const& memory, int begin, int size, Pivots& pivots) {
    factorise_square(memory, begin, size, pivots);
  }
  template <class Sink>
  __device__ static void carry(BlockMemory const& memory, int begin, int i, Sink const& sink) {
    carry_row(memory, begin, i, sink);
  }
};

template <>
struct Steps<true> {
  template <int Pairs>
  __device__ __noinline__ static void update(BlockMemory const& memory, int from, int to, int target,
                                             int top) {
    update_slab<Pairs>(memory, from, to, target, top);
  }
  __device__ __noinline__ static void square(BlockMemory const& memory, int begin, int size, Pivots& pivots) {
    factorise_square(memory, begin, size, pivots);
  }
  template <class Sink>
  __device__ __noinline__ static void carry(BlockMemory const& memory, int begin, int i, Sink const& sink) {
    carry_row(memory, begin, i, sink);
  }
};

/// The whole factorisation, by the block; ends with all threads in step. Which warp takes the squares differs
/// between blocks, so that those of one multiprocessor take them in different parts of it. The pivots are
/// those of the threads for which this returns true.
template <int Pairs, bool Apart, class Sink>
__device__ bool factorise_block(BlockMemory const& memory, int size, Pivots& pivots, Sink const& sink) {
  constexpr int panel = BlockLayout::panel, high = Slab<Pairs>::high;
  int const rows = memory.layout.rows, warps = blockDim.x / 32;
  int const leader = static_cast<int>((blockIdx.x * 0x9e3779b9u >> 16) % warps);
  int const place = (static_cast<int>(threadIdx.x / 32) + warps - leader) % warps;
  if (place == 0) {
    Steps<Apart>::square(memory, 0, size, pivots);
    __syncwarp();
    sink.square(memory, 0);
  }
#pragma unroll 1
  for (int begin = 0;; begin += panel) {
    __syncthreads();
    int const next = begin + panel, after = next + panel;
#pragma unroll 1
    for (int i = next + static_cast<int>(threadIdx.x); i < rows; i += blockDim.x)
      Steps<Apart>::carry(memory, begin, i, sink);
    if (threadIdx.x == 0) *memory.next_task = 0;
    __syncthreads();
    if (next >= size) return place == 0;
#pragma unroll 1
    for (int top = next + high * place; top < rows; top += high * warps)
      Steps<Apart>::template update<Pairs>(memory, begin, next, next, top);
    if (place == 0) {
      __syncwarp();
      Steps<Apart>::square(memory, next, size, pivots);
      __syncwarp();
      sink.square(memory, next);
    }
    for (int top = after; top < rows;) {
      int task = 0;
      if (threadIdx.x % 32 == 0) task = atomicAdd(memory.next_task, 1);
      top = after + high * __shfl_sync(0xffffffffu, task, 0);
      if (top < rows) Steps<Apart>::template update<Pairs>(memory, 0, next, after, top);
    }
  }
}

/// Entries i = thread, thread + threads, ... of the x with L^T x = the last unit vector.
template <int Rows>
__device__ void substitute_block(BlockMemory const& memory, int size, double (&x)[Rows]) {
  constexpr int panel = BlockLayout::panel;
  double r[Rows];
  int column[Rows];
  int const threads = blockDim.x;
#pragma unroll
  for (int s = 0; s < Rows; ++s) {
    int const i = s * threads + threadIdx.x;
    x[s] = i == size - 1 ? 1.0 : 0.0;
    r[s] = i < size ? memory.reciprocal[i] : 0.0;
    column[s] = memory.layout.column(i < size ? i : 0);
  }
  for (int begin = (size - 1) / panel * panel; begin >= 0; begin -= panel) {
#pragma unroll
    for (int s = 0; s < Rows; ++s) {
      int const i = s * threads + threadIdx.x;
      if (i / 32 != begin / 32) continue;
      double l[panel];
#pragma unroll
      for (int k = 1; k < panel; ++k)
        l[k] = i >= begin && i < begin + k && begin + k < size ? memory.matrix[column[s] + begin + k] * r[s]
                                                               : 0.0;
#pragma unroll
      for (int k = panel - 1; k > 0; --k) {
        double const xk = __shfl_sync(0xffffffffu, x[s], k, panel);
        if (i >= begin && i < begin + k && begin + k < size) x[s] = x[s] - l[k] * xk;
      }
      if (i >= begin && i < begin + panel && i < size) memory.solution[i] = x[s];
    }
    __syncthreads();
    int const last = min(panel, size - begin);
#pragma unroll
    for (int s = 0; s < Rows; ++s) {
      int const i = s * threads + threadIdx.x;
      if (i >= begin) continue;
      double const* const v = memory.matrix + column[s] + begin;
      if (last == panel) {
#pragma unroll
        for (int k = panel - 2; k >= 0; k -= 2) {
          auto const two = *reinterpret_cast<double2 const*>(v + k);
          auto const xk = *reinterpret_cast<double2 const*>(memory.solution + begin + k);
          x[s] = x[s] - (two.y * r[s]) * xk.y;
          x[s] = x[s] - (two.x * r[s]) * xk.x;
        }
      } else {
        for (int k = last - 1; k >= 0; --k) x[s] = x[s] - (v[k] * r[s]) * memory.solution[begin + k];
      }
    }
  }
}

/// The largest power of two below n, for place_in.
__device__ inline int search_step(int n) {
  return n > 1 ? 1 << (31 - __clz(n - 1)) : 0;
}

constexpr int block_threads = 512, large_threads = 256;

/// Row p of the task, with the block's memory. width: lanes that read a row of A.
template <int Pairs, bool Apart, int Rows>
__device__ void solve_block(RowTask const& task, Index p, int m, BlockMemory const& memory, int width) {
  sparse::ThreadGroup<2048> group;
  group.lane = threadIdx.x;
  task.columns(group, blockDim.x, p, m, memory.columns);
  for (int k = 2 * threadIdx.x; k < memory.layout.doubles(); k += 2 * blockDim.x)
    *memory.pair(k) = double2{0, 0};
  __syncthreads();
  task.gather(threadIdx.x % width, width, memory.columns, 0, m, search_step(m), threadIdx.x / width,
              blockDim.x / width, [&](int i, int j, double a) { memory.at(i, j) = a; });
  __syncthreads();
  Pivots pivots;
  bool const leads = factorise_block<Pairs, Apart>(memory, m, pivots, NoSink{});
  double x[Rows];
  substitute_block<Rows>(memory, m, x);
  if (leads && threadIdx.x % 32 == 0) {
    if (pivots.failed) task.fail(p, pivots.bad);
    memory.square[0] = 1.0 / sqrt(pivots.last);
  }
  __syncthreads();
#pragma unroll
  for (int s = 0; s < Rows; ++s) {
    int const i = s * blockDim.x + threadIdx.x;
    if (i < m) task.target(p)[i] = x[s] * memory.square[0];
  }
}

/// A block has at least as many threads as rows, and dynamic memory for the largest.
template <int Pairs>
__global__ void __launch_bounds__(block_threads) block_rows_kernel(RowTask task, int width) {
  auto const p = static_cast<Index>(blockIdx.x);
  int const m = task.size(p);
  solve_block<Pairs, false, 1>(task, p, m, BlockMemory((m + 3) & ~3), width);
}

/// Systems beyond shared memory, each block's in its `stride` doubles of workspace; blocks take one row after
/// another, from the end of the list, where the largest are.
static __global__ void __launch_bounds__(large_threads, 2)
    large_rows_kernel(RowTask task, int width, double* workspace, std::size_t stride) {
  for (auto p = static_cast<Index>(blockIdx.x); p < task.count; p += static_cast<Index>(gridDim.x)) {
    int const m = task.size(p);
    solve_block<2, true, largest_row / large_threads>(
        task, p, m, BlockMemory((m + 3) & ~3, workspace + blockIdx.x * stride), width);
    __syncthreads();
  }
}

}  // namespace Tessera::fsai::detail
