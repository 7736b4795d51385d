#pragma once
/// \file
/// A = L L^T of many dense matrices of one size by the kernels of fsai, which have them from a sparse matrix:
/// here triangles come, packed by columns, and L goes, packed the same.
#include <cuda_pipeline.h>

#include "core/cuda_check.cuh"
#include "fsai/batch/block_systems_cuda.cuh"
#include "fsai/batch/small_systems_cuda.cuh"

namespace Tessera::benchmarks {

using namespace fsai::detail;  // NOLINT: kernels, not an interface

struct DenseTask {
  double const* input;
  double* output;
  int size;
  Index count;
};

template <class System>
__global__ void __launch_bounds__(32 * System::Shape::warps) small_dense_kernel(DenseTask task) {
  using Shape = typename System::Shape;
  __shared__ __align__(16) SmallMemory<Shape> memory[Shape::warps];
  constexpr int lanes = Shape::lanes, size = Shape::size;
  System system;
  int const g = threadIdx.x % 32 / lanes;
  auto const p = static_cast<Index>((blockIdx.x * Shape::warps + threadIdx.x / 32) * Shape::systems) + g;
  int const m = p < task.count ? task.size : 0;
  int const pad = size - m;
  system.matrix = memory[threadIdx.x / 32].matrix[g];
  auto const from = static_cast<Offset>(p) * (static_cast<Offset>(task.size) * (task.size + 1) / 2);
  int const first = begin_small<Shape>(system.group, pad, system.matrix);
  __syncwarp();
  Offset at = from;
  for (int j = pad; j < size; ++j) {
    for (int i = j + system.group.lane; i < size; i += lanes)
      __pipeline_memcpy_async(system.matrix + Shape::column(j) + i, task.input + at + i - j, sizeof(double));
    at += size - j;
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  system.load(first);
  __syncwarp();
  system.template eliminate<0>(first);
  __syncwarp();
  at = from;
#pragma unroll 4
  for (int j = pad; j < size; ++j) {
    double const* const column = system.matrix + Shape::column(j);
    double const root = sqrt(column[j]);
    for (int i = j + system.group.lane; i < size; i += lanes)
      task.output[at + i - j] = i == j ? root : column[i] * root;
    at += size - j;
  }
}

/// A lane's two numbers of a tile in a packed triangle.
struct PackedPlace {
  int i, j, size;
  __device__ PackedPlace(int I, int J, int size, TileLane lane)
      : i(I * tile + lane.row()), j(J * tile + lane.column()), size(size) {}
  __device__ int first() const { return j * size - j * (j + 1) / 2 + i; }
  __device__ int second() const { return first() + 4 * size - 4 * j - 10; }
  __device__ bool has_first() const { return i < size && j <= i; }
  __device__ bool has_second() const { return i < size && j + 4 <= i; }
};

/// Writes L as it becomes final.
struct FactorSink {
  double* output;
  int size;
  struct Column {
    double* output;
    int J, size;
    TileLane lane;
    Tile minus_r, root;
    __device__ void operator()(int I, Tile v) const {
      PackedPlace const place(I, J, size, lane);
      if (place.has_first()) output[place.first()] = place.i == place.j ? root.x : v.x * -minus_r.x * root.x;
      if (place.has_second())
        output[place.second()] = place.i == place.j + 4 ? root.y : v.y * -minus_r.y * root.y;
    }
  };
  __device__ Column column(BlockMemory const& memory, int J, TileLane lane) const {
    int const j = J * tile + lane.column();
    Tile const root{sqrt(memory.matrix.at(j, j)), sqrt(memory.matrix.at(j + 4, j + 4))};
    return {output, J, size, lane, BlockMemory::pair(memory.minus_reciprocal, J, lane), root};
  }
};

/// Matrix p into the block's memory, an identity behind it.
template <bool Shared>
__device__ FactorSink load(DenseTask const& task, Index p, BlockMemory const& memory) {
  int const m = task.size;
  auto const packed = static_cast<Offset>(m) * (m + 1) / 2;
  double const* const input = task.input + p * packed;
  TileLane const lane;
  for (int J = 0; J < memory.tiles; ++J) {
#pragma unroll 4
    for (int I = J + static_cast<int>(threadIdx.x) / 32; I < memory.tiles; I += blockDim.x / 32) {
      PackedPlace const place(I, J, m, lane);
      Tile& to = memory.matrix.mine(I, J, lane);
      double const x = place.i == place.j ? 1.0 : 0.0, y = place.i == place.j + 4 ? 1.0 : 0.0;
      if (Shared) {
        if (place.has_first()) {
          __pipeline_memcpy_async(&to.x, input + place.first(), sizeof(double));
        } else {
          to.x = x;
        }
        if (place.has_second()) {
          __pipeline_memcpy_async(&to.y, input + place.second(), sizeof(double));
        } else {
          to.y = y;
        }
      } else {  // loads without branches go out together
        double const first = input[place.has_first() ? place.first() : 0],
                     second = input[place.has_second() ? place.second() : 0];
        to = {place.has_first() ? first : x, place.has_second() ? second : y};
      }
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  return {task.output + p * packed, m};
}

template <int Tiles>
__global__ void __launch_bounds__(32) warp_dense_kernel(DenseTask task) {
  BlockMemory const memory(Tiles);
  auto const sink = load<true>(task, static_cast<Index>(blockIdx.x), memory);
  Pivots pivots;
  factorise_warp<Tiles>(memory, task.size, pivots, sink);
}

static __global__ void __launch_bounds__(BlockLayout::max_threads) block_dense_kernel(DenseTask task) {
  BlockMemory const memory((task.size + tile - 1) / tile);
  auto const sink = load<true>(task, static_cast<Index>(blockIdx.x), memory);
  Pivots pivots;
  factorise_block(memory, pivots, sink);
}

static __global__ void __launch_bounds__(large_threads, 2)
    large_dense_kernel(DenseTask task, double* workspace, std::size_t stride) {
  for (auto p = static_cast<Index>(blockIdx.x); p < task.count; p += static_cast<Index>(gridDim.x)) {
    BlockMemory const memory((task.size + tile - 1) / tile, workspace + blockIdx.x * stride);
    auto const sink = load<false>(task, p, memory);
    Pivots pivots;
    factorise_block(memory, pivots, sink);
    __syncthreads();
  }
}

/// Matrices beyond shared memory, each block's in workspace.
struct LargeWorkspace {
  double* data;
  std::size_t doubles;
};

template <int Tiles>
void launch_warps(Cuda const& space, DenseTask const& task) {
  warp_dense_kernel<Tiles><<<task.count, 32, BlockLayout{Tiles}.bytes(), space.stream>>>(task);
}

inline void batched_cholesky(Cuda const& space, DenseTask const& task, LargeWorkspace workspace) {
  BlockLayout const layout{(task.size + tile - 1) / tile};
  if (task.size <= 16) {
    using System = SmallSystem<4, 4>;
    constexpr int warps = System::Shape::warps, systems = warps * System::Shape::systems;
    small_dense_kernel<System><<<(task.count + systems - 1) / systems, 32 * warps, 0, space.stream>>>(task);
  } else if (task.size <= 32) {
    launch_warps<4>(space, task);
  } else if (task.size <= 64) {
    launch_warps<8>(space, task);
  } else if (task.size <= 224) {
    auto const bytes = static_cast<int>(layout.bytes());
    TESSERA_CUDA_CHECK(
        cudaFuncSetAttribute(block_dense_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    block_dense_kernel<<<task.count, layout.threads(), bytes, space.stream>>>(task);
  } else {
    auto const stride = static_cast<std::size_t>(layout.doubles());
    auto const blocks = static_cast<unsigned>(std::min<std::size_t>(workspace.doubles / stride, task.count));
    large_dense_kernel<<<blocks, large_threads, layout.bytes_without_matrix(), space.stream>>>(
        task, workspace.data, stride);
  }
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::benchmarks
