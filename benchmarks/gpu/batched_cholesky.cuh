#pragma once
/// \file
/// A = L L^T of many dense matrices of one size by the kernels of fsai, which have them from a sparse matrix:
/// here triangles come, packed by columns, and L goes, packed the same.
#include <cuda_pipeline.h>

#include "core/cuda_check.cuh"
#include "fsai/block_systems_cuda.cuh"
#include "fsai/small_systems_cuda.cuh"

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

template <int Pairs, bool Shared>
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
  factorise_block<Pairs>(memory, m, pivots);
  for (int j = warp; j < m; j += warps) {
    double* const to = output + static_cast<Offset>(j) * m - static_cast<Offset>(j) * (j + 1) / 2;
    double const r = memory.reciprocal[j], root = sqrt(memory.at(j, j));
    for (int i = j + lane; i < m; i += 32) to[i] = i == j ? root : (memory.at(i, j) * r) * root;
  }
}

template <int Pairs>
__global__ void __launch_bounds__(block_threads) block_dense_kernel(DenseTask task) {
  factorise_dense<Pairs, true>(task, static_cast<Index>(blockIdx.x), BlockMemory((task.size + 3) & ~3));
}

static __global__ void __launch_bounds__(large_threads, 2)
    large_dense_kernel(DenseTask task, double* workspace, std::size_t stride) {
  for (auto p = static_cast<Index>(blockIdx.x); p < task.count; p += static_cast<Index>(gridDim.x)) {
    factorise_dense<2, false>(task, p, BlockMemory((task.size + 3) & ~3, workspace + blockIdx.x * stride));
    __syncthreads();
  }
}

/// Matrices beyond shared memory, each block's in workspace.
struct LargeWorkspace {
  double* data;
  std::size_t doubles;
};

template <class System>
void launch_small(Cuda const& space, DenseTask const& task) {
  constexpr int warps = System::Shape::warps, systems = warps * System::Shape::systems;
  small_dense_kernel<System><<<(task.count + systems - 1) / systems, 32 * warps, 0, space.stream>>>(task);
}

template <int Pairs>
void launch_block(Cuda const& space, DenseTask const& task, int threads) {
  auto const bytes = static_cast<int>(BlockLayout{(task.size + 3) / 4 * 4}.bytes());
  TESSERA_CUDA_CHECK(
      cudaFuncSetAttribute(block_dense_kernel<Pairs>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  block_dense_kernel<Pairs><<<task.count, threads, bytes, space.stream>>>(task);
}

inline void batched_cholesky(Cuda const& space, DenseTask const& task, LargeWorkspace workspace) {
  if (task.size <= 16) {
    launch_small<SmallSystem<SmallShape<4, 4>>>(space, task);
  } else if (task.size <= 32) {
    launch_small<SmallSystem<SmallShape<8, 4>>>(space, task);
  } else if (task.size <= 64) {
    launch_small<TileSystem<TileShape<8, 4, 8>>>(space, task);
  } else if (task.size <= 160) {
    launch_block<2>(space, task, (task.size + 31) / 32 * 32);
  } else if (task.size <= 224) {
    launch_block<1>(space, task, block_threads);
  } else {
    BlockLayout const layout{(task.size + 3) / 4 * 4};
    auto const stride = static_cast<std::size_t>(layout.doubles());
    auto const blocks = static_cast<unsigned>(std::min<std::size_t>(workspace.doubles / stride, task.count));
    auto const bytes = static_cast<int>(layout.bytes_large(large_threads));
    TESSERA_CUDA_CHECK(
        cudaFuncSetAttribute(large_dense_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    large_dense_kernel<<<blocks, large_threads, bytes, space.stream>>>(task, workspace.data, stride);
  }
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::benchmarks
