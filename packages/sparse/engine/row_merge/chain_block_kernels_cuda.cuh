#pragma once
/// \file
/// Kernels of R (A B) in blocks: a warp takes rows of A B, a block the rows of an aggregate. Sums lie in
/// shared memory; every entry is added to in the order of the host's loops.
#include <algorithm>

#include "core/cuda_check.cuh"
#include "core/shared_memory.cuh"
#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// The pattern of A B: `rows` rows of a node have the same blocks, ascending. Numbers lie row by row.
struct NodeBlocks {
  Span<Offset const> offsets;  ///< of nodes
  Span<Index const> block;
  int rows;
  TESSERA_HD Index const* blocks(Index row) const { return block.data() + offsets[row / rows]; }
  TESSERA_HD Index size(Index row) const {
    return static_cast<Index>(offsets[row / rows + 1] - offsets[row / rows]);
  }
  /// Blocks before this row's.
  TESSERA_HD Offset before(Index row) const {
    return offsets[row / rows] * rows + static_cast<Offset>(row % rows) * size(row);
  }
};

namespace detail {

/// A B. Width: of the blocks, 0: `width`.
template <int Width>
struct BlockTimes {
  CsrView<double> A;
  Span<Offset const> B_offsets;
  Span<Index const> B_block;
  Span<double const> B_value;
  NodeBlocks AB;
  int width;
  Span<double> value;
  /// Whether row j of B has the pattern of the row before.
  __device__ bool repeats(Index j) const { return j < A.rows && j % AB.rows != 0; }
};

/// R (A B), the rows of an aggregate.
template <int Width>
struct BlockRestrict {
  CsrView<double> R;
  NodeBlocks AB;
  Span<double const> AB_value;
  CsrView<double> C;
  int width;
  Span<double> value;
};

struct BlockLaunch {
  static constexpr int threads = 128, warps = threads / 32;
  static constexpr int chunk = 64;                  ///< rows of A B that are looked up together
  static constexpr std::size_t memory = 200 << 10;  ///< bytes of shared memory a block may have
};

/// Where `wanted` is among the ascending numbers list[0], list[stride] ...
__device__ inline int place_of(Index const* list, int stride, int size, Index wanted) {
  int begin = 0;
  while (size > 1) {
    int const half = size / 2;
    if (list[(begin + half) * stride] <= wanted) begin += half;
    size -= half;
  }
  return begin;
}

/// A warp takes the rows of a group, which have one pattern. capacity: blocks of A B that fit into its shared
/// memory; larger groups are summed in place.
template <int Width>
__global__ void __launch_bounds__(BlockLaunch::threads)
    block_times_kernel(Span<Index const> groups, int capacity, BlockTimes<Width> body) {
  constexpr unsigned all = 0xffffffffu;
  constexpr int at_once = 3;
  extern __shared__ double shared[];
  int const m = Width > 0 ? Width : body.width;
  int const warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  auto const group = static_cast<std::size_t>(blockIdx.x) * BlockLaunch::warps + warp;
  if (group + 1 >= groups.size()) return;
  Index const i = groups[group];
  int const rows = groups[group + 1] - i;
  Index const* const blocks_of_group = body.AB.blocks(i);
  int const size = body.AB.size(i);
  bool const fits = rows * size <= capacity;
  double* const result = body.value.data() + body.AB.before(i) * m;
  double* const sum = fits ? shared + static_cast<Offset>(warp) * capacity * m : result;
  auto* const own =
      reinterpret_cast<Index*>(shared + static_cast<Offset>(BlockLaunch::warps) * capacity * m) +
      warp * capacity;
  Index const* const list = fits ? own : blocks_of_group;
  for (int s = lane; s < rows * size * m; s += 32) sum[s] = 0;
  for (int s = lane; fits && s < size; s += 32) own[s] = blocks_of_group[s];
  __syncwarp();

  auto const first_k = body.A.offsets[i], end = body.A.offsets[i + 1];
  auto const length = end - first_k;  // of each row
  for (auto k0 = first_k; k0 < end; k0 += 32) {
    auto const k = k0 + lane;
    Index j = 0;
    Offset first = 0;
    int blocks = 0;
    bool goes_on = true;  // a run of columns whose rows of B have one pattern
    if (k < end) {
      j = body.A.column[k];
      first = body.B_offsets[j];
      blocks = static_cast<int>(body.B_offsets[j + 1] - first);
      goes_on = body.repeats(j);
    }
    Index const before = __shfl_up_sync(all, j, 1);
    unsigned heads = __ballot_sync(all, k < end && (lane == 0 || j != before + 1 || !goes_on));
    int const count = end - k0 < 32 ? static_cast<int>(end - k0) : 32;
    while (heads != 0) {
      int const head = __ffs(static_cast<int>(heads)) - 1;
      heads &= heads - 1;
      int const run = (heads == 0 ? count : __ffs(static_cast<int>(heads)) - 1) - head;
      auto const from = __shfl_sync(all, first, head);
      int const width = __shfl_sync(all, blocks, head) * m;
      double const* const a = body.A.value.data() + k0 + head;
      double const* const p = body.B_value.data() + from * m;
      for (int x = lane; x < width; x += 32) {
        int const b = x / m;
        double* const target = sum + place_of(list, 1, size, body.B_block[from + b]) * m + (x - b * m);
        for (int r = 0; r < rows; r += at_once) {
          double total[at_once];
#pragma unroll
          for (int q = 0; q < at_once; ++q) total[q] = r + q < rows ? target[(r + q) * size * m] : 0;
          for (int t = 0; t < run; ++t) {
            double const factor = p[t * width + x];
#pragma unroll
            for (int q = 0; q < at_once; ++q) {
              if (r + q < rows) total[q] += a[(r + q) * length + t] * factor;
            }
          }
#pragma unroll
          for (int q = 0; q < at_once; ++q) {
            if (r + q < rows) target[(r + q) * size * m] = total[q];
          }
        }
      }
      __syncwarp();
    }
  }
  for (int s = lane; fits && s < rows * size * m; s += 32) result[s] = sum[s];
}

/// sum[0], sum[stride] ... += p_0 ap_0 + p_1 ap_1 ..., one after the other, for `run` rows of A B that are
/// `next` apart.
template <int Width>
__device__ void add_column(int m, double const* p, double const* ap, int run, int next, double* sum,
                           int stride) {
  if constexpr (Width > 0) {
    double total[Width];
#pragma unroll
    for (int r = 0; r < Width; ++r) total[r] = sum[r * stride];
    for (int t = 0; t < run; ++t, p += Width, ap += next) {
      double const factor = *ap;
#pragma unroll
      for (int r = 0; r < Width; ++r) total[r] += p[r] * factor;
    }
#pragma unroll
    for (int r = 0; r < Width; ++r) sum[r * stride] = total[r];
  } else {
    for (int t = 0; t < run; ++t, p += m, ap += next) {
      for (int r = 0; r < m; ++r) sum[r * stride] += p[r] * *ap;
    }
  }
}

/// capacity: blocks a row of C that fit into shared memory; longer rows are summed in place. chunk: rows of A
/// P that are looked up together.
template <int Width>
__global__ void __launch_bounds__(BlockLaunch::threads)
    block_restrict_kernel(int capacity, int chunk, BlockRestrict<Width> body) {
  constexpr int threads = BlockLaunch::threads;
  extern __shared__ double shared[];
  __shared__ Offset ap_first[BlockLaunch::chunk];  // blocks before the row's
  __shared__ Index const* ap_blocks[BlockLaunch::chunk];
  __shared__ int ap_size[BlockLaunch::chunk];
  __shared__ bool goes_on[BlockLaunch::chunk];  // the row before in A B comes before here too, of one pattern
  int const m = Width > 0 ? Width : body.width, thread = static_cast<int>(threadIdx.x);
  auto const row = static_cast<Offset>(blockIdx.x) * m;
  auto const begin = body.C.offsets[row];
  auto const length = static_cast<int>(body.C.offsets[row + 1] - begin);
  int const size = length / m;
  bool const fits = size <= capacity;
  Index const* const column = body.C.column.data() + begin;
  double* const result = body.value.data() + begin;
  double* const p = shared;
  double* const sum = fits ? shared + chunk * m : result;
  int const of_slot = fits ? m * m : m, of_row = fits ? m : length;
  auto* const own = reinterpret_cast<Index*>(shared + chunk * m + static_cast<Offset>(capacity) * m * m);
  Index const* const list = fits ? own : column;
  int const stride = fits ? 1 : m;
  for (int s = thread; s < length * m; s += threads) sum[s] = 0;
  for (int s = thread; fits && s < size; s += threads) own[s] = column[s * m];

  auto const first_k = body.R.offsets[row], end = body.R.offsets[row + 1];
  for (auto k0 = first_k; k0 < end; k0 += chunk) {
    int const count = end - k0 < chunk ? static_cast<int>(end - k0) : chunk;
    __syncthreads();
    for (int h = thread; h < count; h += threads) {
      auto const i = body.R.column[k0 + h];
      ap_first[h] = body.AB.before(i);
      ap_blocks[h] = body.AB.blocks(i);
      ap_size[h] = body.AB.size(i);
      goes_on[h] = h > 0 && body.R.column[k0 + h - 1] == i - 1 && i % body.AB.rows != 0;
    }
    for (int x = thread; x < count * m; x += threads)
      p[x] = body.R.value[k0 + x / m + x % m * (end - first_k)];
    __syncthreads();
    for (int h = 0, run; h < count; h += run) {
      run = 1;
      while (h + run < count && goes_on[h + run]) ++run;
      Index const* const blocks = ap_blocks[h];
      int const width = ap_size[h] * m;
      double const* const ap = body.AB_value.data() + ap_first[h] * m;
      for (int x = thread; x < width; x += threads) {
        int const b = x / m;
        auto const slot = static_cast<Offset>(place_of(list, stride, size, blocks[b] * m));
        add_column<Width>(m, p + h * m, ap + x, run, width, sum + slot * of_slot + (x - b * m), of_row);
      }
      __syncthreads();
    }
  }
  for (int r = 0; fits && r < m; ++r) {
    for (int x = thread; x < length; x += threads)
      result[r * length + x] = sum[x / m * of_slot + r * of_row + x % m];
  }
}

/// How many blocks fit, of at most `longest`, where one takes `each` bytes and others `fixed`.
inline int blocks_that_fit(Index longest, std::size_t each, std::size_t fixed) {
  auto const most = fixed < BlockLaunch::memory ? (BlockLaunch::memory - fixed) / each : 0;
  return static_cast<int>(std::min(static_cast<std::size_t>(longest), most));
}

template <class Kernel, class... Arguments>
void launch_blocks(Cuda const& space, Kernel* kernel, Index blocks, std::size_t bytes,
                   Arguments const&... arguments) {
  if (blocks == 0) return;
  if (bytes > std::size_t{32} << 10) core::allow_shared_memory(kernel, bytes);
  kernel<<<static_cast<unsigned>(blocks), BlockLaunch::threads, bytes, space.stream>>>(arguments...);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

/// groups: where rows of A with one pattern begin, and the end; largest: blocks of A B in a group.
template <int Width>
void multiply_groups(Cuda const& space, Span<Index const> groups, Index largest,
                     BlockTimes<Width> const& body) {
  constexpr int warps = BlockLaunch::warps;
  auto const each = warps * (body.width * sizeof(double) + sizeof(Index));
  int const capacity = blocks_that_fit(largest, each, 0);
  auto const count = static_cast<Index>(groups.size()) - 1;
  launch_blocks(space, block_times_kernel<Width>, (count + warps - 1) / warps, capacity * each, groups,
                capacity, body);
}

/// longest: blocks in a row of C.
template <int Width>
void restrict_aggregates(Cuda const& space, Index longest, BlockRestrict<Width> const& body) {
  int const m = body.width, chunk = std::clamp(4096 / m, 1, BlockLaunch::chunk);
  auto const each = static_cast<std::size_t>(m) * m * sizeof(double) + sizeof(Index);
  auto const fixed = static_cast<std::size_t>(m) * chunk * sizeof(double);
  int const capacity = blocks_that_fit(longest, each, fixed);
  launch_blocks(space, block_restrict_kernel<Width>, body.R.rows / m, fixed + capacity * each, capacity,
                chunk, body);
}

}  // namespace detail
}  // namespace Tessera::sparse
