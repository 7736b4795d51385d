#pragma once
/// \file
/// The primitives on CUDA: one launch template for for_each and reduce, CUB for the rest.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/array.hpp"
#include "core/cuda_check.cuh"
#include "core/kernels.cuh"
#include "core/parallel.hpp"
#include "core/space.hpp"
#include "core/span.hpp"

namespace Tessera::core {

/// Launch shape of for_each.
struct LaunchShape {
  int threads = 256;
};

namespace detail {

/// Page-locked host memory to which kernels write single numbers, one at a time: a read costs a
/// synchronisation, but no copy.
constexpr std::size_t result_bytes = 256;
void* result_buffer();

/// Waits for all earlier work, and returns the number in the result buffer.
template <class T>
T read_result(Cuda const& space) {
  static_assert(sizeof(T) <= result_bytes);
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(space.stream));
  return *static_cast<T const*>(result_buffer());
}

template <class Body>
__global__ void for_each_kernel(std::size_t n, Body body) {
  auto const i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) body(static_cast<Index>(i));
}

template <class Body, class Op, class T>
__global__ void __launch_bounds__(fixed_tree::lanes)
    reduce_kernel(std::size_t n, Body body, Op op, T identity, T* partial) {
  __shared__ unsigned char storage[sizeof(T) * fixed_tree::lanes];
  T* lane = reinterpret_cast<T*>(storage);
  auto const begin = static_cast<std::size_t>(blockIdx.x) * fixed_tree::block;
  int const l = threadIdx.x;
  T value = identity;
  for (int k = 0; k < fixed_tree::per_lane; ++k) {
    auto const i = begin + static_cast<std::size_t>(k) * fixed_tree::lanes + l;
    if (i < n) value = op(value, body(static_cast<Index>(i)));
  }
  lane[l] = value;
  __syncthreads();
  for (int half = fixed_tree::lanes / 2; half > 0; half /= 2) {
    if (l < half) lane[l] = op(lane[l], lane[l + half]);
    __syncthreads();
  }
  if (l == 0) partial[blockIdx.x] = lane[0];
}

/// Counts as numbers of type T, followed by zero.
template <class Count, class T>
struct WidenCount {
  Count const* counts;
  std::size_t n;
  __device__ T operator()(std::size_t i) const { return i < n ? static_cast<T>(counts[i]) : T{0}; }
};

}  // namespace detail

template <class Body>
void for_each(Cuda const& space, std::size_t n, Body const& body, LaunchShape shape = {}) {
  static_assert(std::is_trivially_copyable_v<Body>, "a body must be a struct of views");
  if (n == 0) return;
  auto const blocks = static_cast<unsigned>((n + shape.threads - 1) / shape.threads);
  detail::for_each_kernel<<<blocks, shape.threads, 0, space.stream>>>(n, body);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

/// Heavy bodies run in small blocks, so that a long row delays few other rows.
template <class Body>
void for_each_heavy(Cuda const& space, std::size_t n, std::size_t /*steps*/, Body const& body) {
  for_each(space, n, body, LaunchShape{64});
}

template <class T>
void fill(Cuda const& space, Span<T> target, std::common_type_t<T> value) {
  constexpr std::size_t longest = std::size_t{1} << 30;  // a body's index has 31 bits
  for (std::size_t begin = 0; begin < target.size(); begin += longest) {
    auto const part = target.part(begin, target.size() - begin < longest ? target.size() - begin : longest);
    for_each(space, part.size(), detail::FillBody<T>{part, value});
  }
}

template <class Body, class Op, class T>
T reduce(Cuda const& space, std::size_t n, Body const& body, Op const& op, T identity) {
  if (n == 0) return identity;
  auto const blocks = (n + fixed_tree::block - 1) / fixed_tree::block;
  Array<T, Cuda> partial(space, blocks == 1 ? 0 : blocks);
  auto* const results = blocks == 1 ? static_cast<T*>(detail::result_buffer()) : partial.data();
  detail::reduce_kernel<<<static_cast<unsigned>(blocks), fixed_tree::lanes, 0, space.stream>>>(
      n, body, op, identity, results);
  TESSERA_CUDA_CHECK(cudaGetLastError());
  if (blocks > 1) return reduce(space, blocks, fixed_tree::Load<T>{partial.data()}, op, identity);
  return detail::read_result<T>(space);
}

template <class Body>
auto sum(Cuda const& space, std::size_t n, Body const& body) {
  using T = std::decay_t<decltype(body(Index{}))>;
  return reduce(space, n, body, Plus{}, T{});
}

/// Scans and selections of short arrays run in one block: CUB takes two launches, and some microseconds of
/// the host before them.
struct ShortArrays {
  static constexpr int threads = 1024, items = 4;  ///< consecutive items of a thread
  static constexpr std::size_t longest = 16384;
};

namespace detail {

/// Calls each(i, sum of number(j) for j < i, number(i)) for i <= n, where number(n) counts as 0. Returns the
/// total. A whole block calls this.
template <class T, class Number, class Each>
__device__ T scan_by_block(Index n, Number const& number, Each const& each) {
  using Scan = cub::BlockScan<T, ShortArrays::threads>;
  __shared__ typename Scan::TempStorage storage;
  T before{};
  for (Index begin = 0; begin <= n; begin += ShortArrays::threads * ShortArrays::items) {
    Index const first = begin + static_cast<Index>(threadIdx.x) * ShortArrays::items;
    T own[ShortArrays::items], sum[ShortArrays::items], total{};
#pragma unroll
    for (int k = 0; k < ShortArrays::items; ++k) own[k] = first + k < n ? number(first + k) : T{};
    Scan(storage).ExclusiveSum(own, sum, total);
#pragma unroll
    for (int k = 0; k < ShortArrays::items; ++k) {
      if (first + k <= n) each(first + k, before + sum[k], own[k]);
    }
    before += total;
    __syncthreads();  // storage is free again
  }
  return before;
}

/// result: address for the total; null: none.
template <class Count, class T>
__global__ void __launch_bounds__(ShortArrays::threads)
    short_scan_kernel(Index n, Count const* counts, T* offsets, T* result) {
  T const total = scan_by_block<T>(
      n, [=](Index i) { return static_cast<T>(counts[i]); },
      [=](Index i, T before, T) { offsets[i] = before; });
  if (threadIdx.x == 0 && result != nullptr) *result = total;
}

template <class Predicate>
__global__ void __launch_bounds__(ShortArrays::threads)
    short_select_kernel(Index n, Predicate predicate, Index* chosen, long long* result) {
  auto const total = scan_by_block<Index>(
      n, [=](Index i) { return predicate(i) ? 1 : 0; },
      [=](Index i, Index before, Index is) {
        if (is != 0) chosen[before] = i;
      });
  if (threadIdx.x == 0) *result = total;
}

}  // namespace detail

template <class Count, class T>
void short_scan(Cuda const& space, Count const* counts, std::size_t n, T* offsets, T* result) {
  detail::short_scan_kernel<<<1, ShortArrays::threads, 0, space.stream>>>(static_cast<Index>(n), counts,
                                                                          offsets, result);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

template <class Predicate>
void short_select(Cuda const& space, std::size_t n, Predicate const& predicate, Index* chosen,
                  long long* result) {
  detail::short_select_kernel<<<1, ShortArrays::threads, 0, space.stream>>>(static_cast<Index>(n), predicate,
                                                                            chosen, result);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

/// result: address for the total, which is offsets[n]; null: none.
template <class Count, class T>
void scan(Cuda const& space, Span<Count> counts, Span<T> offsets, T* result) {
  using Value = std::remove_const_t<Count>;
  auto const n = counts.size();
  if (n <= ShortArrays::longest) return short_scan(space, counts.data(), n, offsets.data(), result);
  auto const in = thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0),
                                                  detail::WidenCount<Value, T>{counts.data(), n});
  std::size_t bytes = 0;
  TESSERA_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, in, offsets.data(), n + 1, space.stream));
  Array<unsigned char, Cuda> scratch(space, bytes);
  TESSERA_CUDA_CHECK(
      cub::DeviceScan::ExclusiveSum(scratch.data(), bytes, in, offsets.data(), n + 1, space.stream));
  if (result != nullptr)
    TESSERA_CUDA_CHECK(
        cudaMemcpyAsync(result, offsets.data() + n, sizeof(T), cudaMemcpyDeviceToHost, space.stream));
}

template <class Count, class T>
void prefix_sums(Cuda const& space, Span<Count> counts, Span<T> offsets) {
  scan(space, counts, offsets, static_cast<T*>(nullptr));
}

template <class Count, class T>
T exclusive_scan(Cuda const& space, Span<Count> counts, Span<T> offsets) {
  if (counts.empty()) {
    fill(space, offsets.part(0, 1), T{});
    return T{};
  }
  scan(space, counts, offsets, static_cast<T*>(detail::result_buffer()));
  return detail::read_result<T>(space);
}

/// Reads two numbers of device memory with one synchronisation.
template <class A, class B>
std::pair<A, B> read_pair(Cuda const& space, A const* a, B const* b) {
  struct Both {
    A first;
    B second;
  };
  auto* const both = static_cast<Both*>(detail::result_buffer());
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(&both->first, a, sizeof(A), cudaMemcpyDeviceToHost, space.stream));
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(&both->second, b, sizeof(B), cudaMemcpyDeviceToHost, space.stream));
  auto const result = detail::read_result<Both>(space);
  return {result.first, result.second};
}

template <class Predicate>
std::size_t select(Cuda const& space, std::size_t n, Predicate const& predicate, Span<Index> chosen) {
  if (n == 0) return 0;
  auto* const count = static_cast<long long*>(detail::result_buffer());
  if (n <= ShortArrays::longest) {
    short_select(space, n, predicate, chosen.data(), count);
    return static_cast<std::size_t>(detail::read_result<long long>(space));
  }
  thrust::counting_iterator<Index> const all(0);
  std::size_t bytes = 0;
  TESSERA_CUDA_CHECK(cub::DeviceSelect::If(nullptr, bytes, all, chosen.data(), count,
                                           static_cast<long long>(n), predicate, space.stream));
  Array<unsigned char, Cuda> scratch(space, bytes);
  TESSERA_CUDA_CHECK(cub::DeviceSelect::If(scratch.data(), bytes, all, chosen.data(), count,
                                           static_cast<long long>(n), predicate, space.stream));
  return static_cast<std::size_t>(detail::read_result<long long>(space));
}

template <class Key, class Value>
void sort_by_key(Cuda const& space, Array<Key, Cuda>& keys, Array<Value, Cuda>& values,
                 Key largest = std::numeric_limits<Key>::max()) {
  int bits = std::is_signed_v<Key> && largest == std::numeric_limits<Key>::max() ? 1 : 0;  // the sign bit
  for (auto rest = static_cast<std::uint64_t>(largest); rest != 0; rest >>= 1) ++bits;
  auto const n = static_cast<long long>(keys.size());
  Array<Key, Cuda> sorted_keys(space, keys.size());
  Array<Value, Cuda> sorted_values(space, values.size());
  std::size_t bytes = 0;
  TESSERA_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.data(), sorted_keys.data(),
                                                     values.data(), sorted_values.data(), n, 0, bits,
                                                     space.stream));
  Array<unsigned char, Cuda> scratch(space, bytes);
  TESSERA_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, keys.data(), sorted_keys.data(),
                                                     values.data(), sorted_values.data(), n, 0, bits,
                                                     space.stream));
  keys = std::move(sorted_keys);
  values = std::move(sorted_values);
}

}  // namespace Tessera::core
