#pragma once
/// \file
/// Dense systems that fit into shared memory on CUDA: a block takes one.
///
/// Panels of 16 columns, right-looking: one warp factorises the square of a panel, each thread carries on a
/// row below it, then warps take what is right of it, 16 columns times up to 64 rows at a time (a lane 8 x 4
/// numbers in registers). The warp that takes the next panel's square goes on and factorises it meanwhile. v
/// stands in place, 1 / d beside it.
#include "fsai/parameters.hpp"
#include "fsai/row_task_cuda.cuh"
#include "fsai/small_systems_cuda.cuh"

namespace Tessera::fsai::detail {

/// Columns of a matrix of `rows` rows (a multiple of 4), each from its row 4 (k / 4) on.
struct BlockLayout {
  static constexpr int panel = 16;
  int rows;
  /// Where row 0 of column k would stand.
  __host__ __device__ int column(int k) const {
    int const quad = k & ~3;
    return quad * (rows - quad / 2 + 1) + (k & 3) * (rows - quad);
  }
  __host__ __device__ int doubles() const { return rows * rows / 2 + 2 * rows; }
  /// Bytes of shared memory, with what stands beside the matrix.
  std::size_t bytes() const { return sizeof(double) * doubles() + bytes_beside(); }
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
  __device__ explicit BlockMemory(int rows) : layout{rows} {
    extern __shared__ __align__(16) unsigned char memory[];
    matrix = reinterpret_cast<double*>(memory);
    lay_out(matrix + layout.doubles());
  }
  __device__ BlockMemory(int rows, double* given) : layout{rows}, matrix(given) {
    extern __shared__ __align__(16) unsigned char memory[];
    lay_out(reinterpret_cast<double*>(memory));
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

/// Rows top to top + 16 Pairs of the 16 columns from `target` on lose their products of the panel at `begin`.
template <int Pairs>
__device__ void update_slab(BlockMemory const& memory, int begin, int target, int top) {
  int const rows = memory.layout.rows, lane = threadIdx.x % 32;
  int const j = target + lane / 8 * 4, other = j < rows ? j : rows - 4;
  bool has[Pairs];
  int i[Pairs];
  double c[Pairs][2][4];
#pragma unroll
  for (int p = 0; p < Pairs; ++p) {
    i[p] = top + 16 * p + lane % 8 * 2;
    has[p] = j < rows && i[p] < rows && i[p] >= j;
    if (i[p] >= rows) i[p] = rows - 2;
  }
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    int const column = memory.layout.column(other + t);
#pragma unroll
    for (int p = 0; p < Pairs; ++p) {
      double2 const two = has[p] ? *memory.pair(column + i[p]) : double2{0, 0};
      c[p][0][t] = two.x, c[p][1][t] = two.y;
    }
  }
#pragma unroll 1
  for (int quad = begin; quad < begin + BlockLayout::panel; quad += 4) {
    int column = memory.layout.column(quad);
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      double const r = memory.reciprocal[quad + t];
      double2 const w01 = *memory.pair(column + other), w23 = *memory.pair(column + other + 2);
      double const l[4] = {w01.x * r, w01.y * r, w23.x * r, w23.y * r};
#pragma unroll
      for (int p = 0; p < Pairs; ++p) {
        double2 const v = *memory.pair(column + i[p]);
#pragma unroll
        for (int b = 0; b < 4; ++b) {
          c[p][0][b] = c[p][0][b] - v.x * l[b];
          c[p][1][b] = c[p][1][b] - v.y * l[b];
        }
      }
      column += rows - quad;
    }
  }
#pragma unroll
  for (int t = 0; t < 4; ++t) {
    int const column = memory.layout.column(other + t);
#pragma unroll
    for (int p = 0; p < Pairs; ++p) {
      if (has[p]) *memory.pair(column + i[p]) = double2{c[p][0][t], c[p][1][t]};
    }
  }
}

/// Slab number `task` right of the panel at `begin`; false when there are not so many.
__device__ inline bool update_task(BlockMemory const& memory, int begin, int task) {
  constexpr int panel = BlockLayout::panel, high = 64;
  int const rows = memory.layout.rows;
  for (int target = begin + panel; target < rows; target += panel) {
    int const slabs = (rows - target + high - 1) / high;
    if (task >= slabs) {
      task -= slabs;
      continue;
    }
    int const top = target + task * high;
    if (rows - top > high / 2) {
      update_slab<4>(memory, begin, target, top);
    } else {
      update_slab<2>(memory, begin, target, top);
    }
    return true;
  }
  return false;
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

/// The square of the panel at `begin`, by the first half of a warp.
__device__ inline void factorise_square(BlockMemory const& memory, int begin, int size, Pivots& pivots) {
  constexpr int panel = BlockLayout::panel;
  int const l16 = threadIdx.x % panel, i = begin + l16;
  bool const writes = threadIdx.x % 32 < panel && i < memory.layout.rows;
  double a[panel];
#pragma unroll
  for (int j = 0; j < panel; ++j) a[j] = writes && j <= l16 ? memory.at(i, begin + j) : 0.0;
#pragma unroll
  for (int k = 0; k < panel; ++k) {
    if (begin + k < size) {
      double const d = __shfl_sync(0xffffffffu, a[k], k);
      pivots.add(d);
      double const r = __drcp_rn(d);
      double const l = a[k] * r;
#pragma unroll
      for (int j = k + 1; j < panel; ++j) a[j] = a[j] - a[k] * __shfl_sync(0xffffffffu, l, j);
      if (writes) memory.square[k * panel + l16] = l;
      if (threadIdx.x % 32 == 0) memory.reciprocal[begin + k] = r;
    }
  }
#pragma unroll
  for (int j = 0; j < panel; ++j) {
    if (writes && j <= l16) memory.at(i, begin + j) = a[j];
  }
}

/// Row i below the square of the panel at `begin`.
__device__ inline void carry_row(BlockMemory const& memory, int begin, int i) {
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
    for (int j = (k + 1) & ~1; j < panel; j += 2) {
      auto const l = *reinterpret_cast<double2 const*>(memory.square + k * panel + j);
      if (j > k) a[j] = a[j] - a[k] * l.x;
      a[j + 1] = a[j + 1] - a[k] * l.y;
    }
  }
#pragma unroll
  for (int j = 1; j < panel; ++j)
    memory.matrix[column[j / 4] + j % 4 * (memory.layout.rows - begin - j / 4 * 4)] = a[j];
}

/// The whole factorisation, by the block; ends with all threads in step. Which warp takes the squares differs
/// between blocks, so that those of one multiprocessor take them in different parts of it. The pivots are
/// those of the threads for which this returns true.
__device__ inline bool factorise_block(BlockMemory const& memory, int size, Pivots& pivots) {
  constexpr int panel = BlockLayout::panel;
  int const rows = memory.layout.rows, warps = blockDim.x / 32;
  bool const leads = threadIdx.x / 32 == (blockIdx.x * 0x9e3779b9u >> 16) % warps;
  if (leads) factorise_square(memory, 0, size, pivots);
  for (int begin = 0;; begin += panel) {
    __syncthreads();
    for (int i = begin + panel + static_cast<int>(threadIdx.x); i < rows; i += blockDim.x)
      carry_row(memory, begin, i);
    if (threadIdx.x == 0) *memory.next_task = 1;
    __syncthreads();
    if (begin + panel >= size) return leads;
    if (leads) {
      update_task(memory, begin, 0);
      __syncwarp();
      factorise_square(memory, begin + panel, size, pivots);
    }
    for (bool more = true; more;) {
      int task = 0;
      if (threadIdx.x % 32 == 0) task = atomicAdd(memory.next_task, 1);
      more = update_task(memory, begin, __shfl_sync(0xffffffffu, task, 0));
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

constexpr int block_threads = 256;

/// Row p of the task, with the block's memory. width: lanes that read a row of A.
template <int Rows>
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
  bool const leads = factorise_block(memory, m, pivots);
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
static __global__ void __launch_bounds__(384) block_rows_kernel(RowTask task, int width) {
  auto const p = static_cast<Index>(blockIdx.x);
  int const m = task.size(p);
  solve_block<1>(task, p, m, BlockMemory((m + 3) & ~3), width);
}

/// Systems beyond shared memory, each block's in its `stride` doubles of workspace; blocks take one row after
/// another, from the end of the list, where the largest are.
static __global__ void __launch_bounds__(block_threads, 2)
    large_rows_kernel(RowTask task, int width, double* workspace, std::size_t stride) {
  for (auto p = static_cast<Index>(blockIdx.x); p < task.count; p += static_cast<Index>(gridDim.x)) {
    int const m = task.size(p);
    solve_block<largest_row / block_threads>(
        task, p, m, BlockMemory((m + 3) & ~3, workspace + blockIdx.x * stride), width);
    __syncthreads();
  }
}

template <bool Shared>
__device__ void factorise_dense(DenseTask const& task, Index p, BlockMemory const& memory) {
  int const m = task.size;
  Offset const packed = static_cast<Offset>(m) * (m + 1) / 2;
  double const* input = task.input + p * packed;
  double* output = task.output + p * packed;
  int const lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int j = warp; j < memory.layout.rows; j += warps) {
    double const* const from = input + static_cast<Offset>(j) * m - static_cast<Offset>(j) * (j + 1) / 2;
    for (int i = j + lane; i < memory.layout.rows; i += 32) {
      if (i >= m || j >= m) {
        memory.at(i, j) = 0;
      } else if (Shared) {
        __pipeline_memcpy_async(&memory.at(i, j), from + i, sizeof(double));
      } else {
        memory.at(i, j) = from[i];
      }
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Pivots pivots;
  factorise_block(memory, m, pivots);
  for (int j = warp; j < m; j += warps) {
    double* const to = output + static_cast<Offset>(j) * m - static_cast<Offset>(j) * (j + 1) / 2;
    double const r = memory.reciprocal[j], root = sqrt(memory.at(j, j));
    for (int i = j + lane; i < m; i += 32) to[i] = i == j ? root : (memory.at(i, j) * r) * root;
  }
}

static __global__ void __launch_bounds__(384) block_dense_kernel(DenseTask task) {
  factorise_dense<true>(task, static_cast<Index>(blockIdx.x), BlockMemory((task.size + 3) & ~3));
}

static __global__ void __launch_bounds__(block_threads, 2)
    large_dense_kernel(DenseTask task, double* workspace, std::size_t stride) {
  for (auto p = static_cast<Index>(blockIdx.x); p < task.count; p += static_cast<Index>(gridDim.x)) {
    factorise_dense<false>(task, p, BlockMemory((task.size + 3) & ~3, workspace + blockIdx.x * stride));
    __syncthreads();
  }
}

}  // namespace Tessera::fsai::detail
