#pragma once
/// \file
/// See reduce_columns.hpp.
#include "core/error.hpp"
#include "core/reduce_into.hpp"

namespace Tessera::core {
namespace detail {

struct ColumnsLaunch {
  static constexpr int columns = 4;  ///< of a block, side by side
  static constexpr int threads = fixed_tree::lanes * columns;
};

/// Lane l, by thread l * columns + c, of each column folded in halves; the first lane's threads get the
/// results. shared is free on return.
__device__ inline double fold_columns(double value, double* shared) {
  constexpr int columns = ColumnsLaunch::columns;
  int const thread = static_cast<int>(threadIdx.x);
  shared[thread] = value;
  __syncthreads();
#pragma unroll
  for (int half = fixed_tree::lanes / 2; half * columns >= 32; half /= 2) {
    if (thread < half * columns) {
      value += shared[thread + half * columns];
      shared[thread] = value;
    }
    __syncthreads();
  }
  if (thread < 32) {
#pragma unroll
    for (int half = 16 / columns; half > 0; half /= 2) value += __shfl_down_sync(~0u, value, half * columns);
  }
  return value;
}

/// The same of each number of a struct.
template <class T>
__device__ T folded_columns(T value, double* shared) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  constexpr int count = sizeof(T) / sizeof(double);
  double numbers[count];
  memcpy(numbers, &value, sizeof value);
#pragma unroll
  for (auto& number : numbers) number = fold_columns(number, shared);
  memcpy(&value, numbers, sizeof value);
  return value;
}

/// partial: of each block of the tree and of each level above, the sums of all columns.
template <class Body, class Finish, class T>
__global__ void __launch_bounds__(ColumnsLaunch::threads)
    reduce_columns_kernel(std::size_t n, Body all, Finish finish, T* partial, unsigned* arrived) {
  constexpr int k = Body::k, columns = ColumnsLaunch::columns, groups = k / columns;
  __shared__ double shared[ColumnsLaunch::threads];
  __shared__ bool is_last;
  int const c = static_cast<int>(threadIdx.x) % columns, l = static_cast<int>(threadIdx.x) / columns;
  auto const sum_up = [&](std::size_t block, std::size_t end, auto const& term) {
    T value{};
#pragma unroll
    for (int q = 0; q < fixed_tree::per_lane; ++q) {
      auto const i = block * fixed_tree::block + static_cast<std::size_t>(q) * fixed_tree::lanes + l;
      if (i < end) value = value + term(i);
    }
    return folded_columns(value, shared);
  };
  {
    // Neighbours have one row's groups of columns: memory hands out 64 bytes at a time.
    int const column = static_cast<int>(blockIdx.x) % groups * columns + c;
    std::size_t const block = blockIdx.x / groups;
    auto const body = loaded(all.column(column), 0);
    T const value = sum_up(block, n, [&](std::size_t i) { return body(static_cast<Index>(i)); });
    if (l == 0) partial[block * k + column] = value;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  for (int column = c; column < k; column += columns) {
    T* from = partial + column;
    for (std::size_t count = gridDim.x / groups; count > 1;) {
      auto const blocks = (count + fixed_tree::block - 1) / fixed_tree::block;
      for (std::size_t b = 0; b < blocks; ++b) {
        T const value = sum_up(b, count, [&](std::size_t i) { return loaded_from_others(from + i * k); });
        if (l == 0) from[(count + b) * k] = value;
        __syncthreads();
      }
      from += count * k;
      count = blocks;
    }
    if (l == 0) finish.column(column)(loaded_from_others(from));
  }
  if (threadIdx.x == 0) *arrived = 0;
}

}  // namespace detail

template <class Body, class Finish>
void reduce_columns_into(Cuda const& space, std::size_t n, Body const& body, Finish const& finish,
                         ReduceScratch<Cuda>& scratch) {
  using Launch = detail::ColumnsLaunch;
  using T = decltype(body.column(0)(Index{}));
  static_assert(Body::k % Launch::columns == 0);
  TESSERA_EXPECT(scratch.fits(n, Body::k * sizeof(T)));
  auto const blocks = n == 0 ? 1 : (n + fixed_tree::block - 1) / fixed_tree::block;
  auto const all = static_cast<unsigned>(blocks * (Body::k / Launch::columns));
  detail::reduce_columns_kernel<<<all, Launch::threads, 0, space.stream>>>(
      n, body, finish, scratch.template partial<T>(), scratch.arrived());
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::core
