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

/// Writes L as panels become final. Roots lie where systems have their solution.
struct FactorSink {
  double* output;
  int size;
  __device__ Offset place(int j) const {
    return static_cast<Offset>(j) * size - static_cast<Offset>(j) * (j + 1) / 2;
  }
  __device__ void square(BlockMemory const& memory, int begin) const {
    constexpr int panel = BlockLayout::panel;
    int const row = threadIdx.x % panel, half = threadIdx.x % 32 / panel, i = begin + row;
    double const root = i < size ? sqrt(memory.at(i, i)) : 0.0;
    if (half == 0 && i < size) memory.solution[i] = root;
    __syncwarp();
    if (i >= size) return;
    for (int j = begin + half; j <= i; j += 2)
      output[place(j) + i] = i == j ? root : memory.at(i, j) * memory.reciprocal[j] * memory.solution[j];
  }
  __device__ void row(BlockMemory const& memory, int begin, int i, double const* v) const {
    if (i >= size) return;
#pragma unroll
    for (int t = 0; t < BlockLayout::panel; ++t) {
      int const j = begin + t;
      output[place(j) + i] = v[t] * memory.reciprocal[j] * memory.solution[j];
    }
  }
};

template <int Pairs, bool Shared>
__device__ void factorise_dense(DenseTask const& task, Index p, BlockMemory const& memory) {
  int const m = task.size;
  Offset const packed = static_cast<Offset>(m) * (m + 1) / 2;
  double const* input = task.input + p * packed;
  double* output = task.output + p * packed;
  int const lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int j = warp; j < memory.layout.rows; j += warps) {
    double const* const from = input + static_cast<Offset>(j) * m - static_cast<Offset>(j) * (j + 1) / 2;
    if (Shared) {
      for (int i = j + lane; i < memory.layout.rows; i += 32) {
        if (i >= m || j >= m) {
          memory.at(i, j) = 0;
        } else {
          __pipeline_memcpy_async(&memory.at(i, j), from + i, sizeof(double));
        }
      }
    } else {
      constexpr int together = 8;
      for (int i = j + lane; i < memory.layout.rows; i += 32 * together) {
        double x[together];
#pragma unroll
        for (int u = 0; u < together; ++u) x[u] = i + 32 * u < m && j < m ? from[i + 32 * u] : 0.0;
#pragma unroll
        for (int u = 0; u < together; ++u) {
          if (i + 32 * u < memory.layout.rows) memory.at(i + 32 * u, j) = x[u];
        }
      }
    }
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  Pivots pivots;
  factorise_block<Pairs, !Shared>(memory, m, pivots, FactorSink{output, m});
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
  } else if (task.size <= 160) {
    launch_block<1>(space, task, (task.size + 31) / 32 * 32);
  } else if (task.size <= 224) {  // one block a multiprocessor
    launch_block<1>(space, task, (task.size + 15) / 16 * 32);
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
