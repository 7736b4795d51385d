#pragma once
/// \file
/// reduce_into and reduce_columns_into on CUDA, in one launch: the last complete block reduces the results of
/// all blocks.
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/interleaved.hpp"
#include "core/parallel_cuda.cuh"
#include "core/reduce_into.hpp"
#include "core/shuffle.cuh"

namespace Tessera::core {

namespace detail {

/// Folds the lanes of a block in halves; the first thread has the result. lane is free on return.
template <class Op, class T>
__device__ T fold(T value, Op const& op, T* lane) {
  int const l = threadIdx.x;
  lane[l] = value;
  __syncthreads();
#pragma unroll
  for (int half = fixed_tree::lanes / 2; half >= 32; half /= 2) {
    if (l < half) {
      value = op(value, lane[l + half]);
      lane[l] = value;
    }
    __syncthreads();
  }
  if (l < 32) {
#pragma unroll
    for (int half = 16; half > 0; half /= 2)
      value = op(value, by_words(value, [half](auto word) { return __shfl_down_sync(~0u, word, half); }));
  }
  return value;
}

/// Type that fold() keeps in shared memory.
template <class T>
struct Folded {
  using type = T;
};
template <int n>
struct Folded<SumPack<n>> {
  using type = double;
};

template <class T>
using FoldOf = typename Folded<T>::type;

template <int n, class Op>
__device__ SumPack<n> fold(SumPack<n> value, Op const& op, double* lane) {
#pragma unroll
  for (int j = 0; j < n; ++j) value.of[j] = fold(value.of[j], op, lane);
  return value;
}

/// Loads data that another block has written, without the cache of this multiprocessor.
template <class T>
__device__ T load_uncached(T const* from) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  T result;
#pragma unroll
  for (std::size_t w = 0; w < sizeof(T) / sizeof(double); ++w)
    reinterpret_cast<double*>(&result)[w] = __ldcg(reinterpret_cast<double const*>(from) + w);
  return result;
}

template <class Body, class = void>
struct HasFetch : std::false_type {};
template <class Body>
struct HasFetch<Body, std::void_t<decltype(std::declval<Body const&>().fetch(Index{}))>> : std::true_type {};

/// Applies op to the elements of a lane in one block of the tree, from i = begin on.
template <class Body, class Op, class T>
__device__ T over_lane(std::size_t begin, std::size_t n, Body const& body, Op const& op, T value) {
  auto const element = [begin](int k) { return begin + static_cast<std::size_t>(k) * fixed_tree::lanes; };
  if constexpr (HasFetch<Body>::value) {
    decltype(body.fetch(Index{})) fetched[fixed_tree::per_lane];
#pragma unroll
    for (int k = 0; k < fixed_tree::per_lane; ++k) {
      if (element(k) < n) fetched[k] = body.fetch(static_cast<Index>(element(k)));
    }
#pragma unroll
    for (int k = 0; k < fixed_tree::per_lane; ++k) {
      if (element(k) < n) value = op(value, body(static_cast<Index>(element(k)), fetched[k]));
    }
  } else {
#pragma unroll
    for (int k = 0; k < fixed_tree::per_lane; ++k) {
      if (element(k) < n) value = op(value, body(static_cast<Index>(element(k))));
    }
  }
  return value;
}

template <class Before, class Body, class Op, class T, class Finish>
__global__ void __launch_bounds__(fixed_tree::lanes)
    reduce_into_kernel(std::size_t n, Before before, Body global_body, Op op, T identity, Finish finish,
                       T* partial, unsigned* arrived) {
  __shared__ double storage[fixed_tree::lanes * sizeof(FoldOf<T>) / sizeof(double)];
  __shared__ bool is_last;
  auto* const lane = reinterpret_cast<FoldOf<T>*>(storage);
  auto const begin = static_cast<std::size_t>(blockIdx.x) * fixed_tree::block + threadIdx.x;
  if constexpr (!std::is_same_v<Before, NothingBefore>) {
    for (int k = 0; k < fixed_tree::per_lane; ++k) {
      auto const i = begin + static_cast<std::size_t>(k) * fixed_tree::lanes;
      if (i < n) before(static_cast<Index>(i));
    }
    __syncthreads();
  }
  auto const body = loaded(global_body, 0);
  T value = fold(over_lane(begin, n, body, op, identity), op, lane);
  if (threadIdx.x == 0) {
    if (gridDim.x > 1) {
      partial[blockIdx.x] = value;
      __threadfence();
      is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    } else {
      finish(value);
    }
  }
  if (gridDim.x == 1) return;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  std::size_t count = gridDim.x;
  while (count > 1) {
    auto const blocks = (count + fixed_tree::block - 1) / fixed_tree::block;
    for (std::size_t b = 0; b < blocks; ++b) {
      value = identity;
#pragma unroll
      for (int k = 0; k < fixed_tree::per_lane; ++k) {
        auto const i = b * fixed_tree::block + static_cast<std::size_t>(k) * fixed_tree::lanes + threadIdx.x;
        if (i < count) value = op(value, load_uncached(partial + i));
      }
      value = fold(value, op, lane);
      if (threadIdx.x == 0) partial[count + b] = value;
      __syncthreads();
    }
    partial += count;
    count = blocks;
  }
  if (threadIdx.x == 0) {
    *arrived = 0;
    finish(value);
  }
}

}  // namespace detail

template <class Before, class Body, class Op, class T, class Finish>
void reduce_into(Cuda const& space, std::size_t n, Before const& before, Body const& body, Op const& op,
                 T identity, Finish const& finish, ReduceScratch<Cuda>& scratch) {
  TESSERA_EXPECT(scratch.fits(n, sizeof(T)));
  auto const blocks = n == 0 ? 1 : (n + fixed_tree::block - 1) / fixed_tree::block;
  detail::reduce_into_kernel<<<static_cast<unsigned>(blocks), fixed_tree::lanes, 0, space.stream>>>(
      n, before, body, op, identity, finish, scratch.template partial<T>(), scratch.arrived());
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

namespace detail {

struct ColumnsLaunch {
  static constexpr int columns = 4;  ///< adjacent columns of a thread block
  static constexpr int threads = fixed_tree::lanes * columns;
};

/// Folds the lanes of each column in halves. Thread l * columns + c has lane l of column c; the threads of
/// lane 0 have the results. shared is free on return.
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

/// The same for each number of a struct.
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

/// partial: sums of all columns, for each block of the tree on each level.
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
    // Neighbouring blocks have column groups of the same rows, because a memory access reads 64 bytes.
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
        T const value = sum_up(b, count, [&](std::size_t i) { return load_uncached(from + i * k); });
        if (l == 0) from[(count + b) * k] = value;
        __syncthreads();
      }
      from += count * k;
      count = blocks;
    }
    if (l == 0) finish.column(column)(load_uncached(from));
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
