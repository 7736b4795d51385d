#pragma once
/// \file
/// See reduce_into.hpp. One launch: the block that is done last reduces the others' results.
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/parallel_cuda.cuh"
#include "core/shuffle.cuh"
#include "core/sum_pack.hpp"

namespace Tessera::core {

template <class Space>
class ReduceScratch;

namespace detail {

/// The lanes of a block folded in halves; the first thread gets the result. lane is free on return.
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

/// What fold() takes at once.
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

/// What another block has written, past this multiprocessor's own cache.
template <class T>
__device__ T loaded_from_others(T const* from) {
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

/// op over a lane's elements of one block of the tree, from i = begin on.
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
        if (i < count) value = op(value, loaded_from_others(partial + i));
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

}  // namespace Tessera::core
