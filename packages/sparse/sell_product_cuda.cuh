#pragma once
/// \file
/// Row products with SELL-32-sigma on CUDA.
#include <cuda_runtime.h>

#include <cstddef>

#include "core/cuda_check.cuh"
#include "core/space.hpp"
#include "sparse/sell.hpp"

namespace Tessera::sparse {

/// Launch shapes, measured with benchmarks/gpu/spmv_benchmark.cu on an H200.
struct SellProductShape {
  static constexpr int chunk = 32;
  static constexpr int batch = 8;  ///< entries of a row that are loaded before the first is needed
  static constexpr int threads = 128;

  // A few thousand rows do not fill the device, and long ones then take long: warps share a chunk.
  static constexpr std::size_t enough_warps = 4096;
  static constexpr int most_warps = 16;
  static constexpr int shared_batch = 4;

  /// Warps that share a chunk: 1, 4 or 16.
  static int warps(std::size_t chunks, std::size_t entries) {
    auto const width = static_cast<int>(entries / (chunks * chunk));
    int warps = 1;
    while (warps < most_warps && chunks * warps < enough_warps && width > 2 * warps) warps *= 4;
    return warps;
  }
};

namespace detail {

/// sum += the first `count` entries of a row, in order, with all their loads underway at once. What is read
/// once leaves the first cache to x (__ldcs).
template <int count, class T, class X, class Sum>
__device__ void add_entries(T const* value, Index const* column, X const& x, Sum& sum) {
  T a[count];
  Index c[count];
  Sum term[count];
#pragma unroll
  for (int j = 0; j < count; ++j) c[j] = __ldcs(column + j * SellProductShape::chunk);
#pragma unroll
  for (int j = 0; j < count; ++j) a[j] = __ldcs(value + j * SellProductShape::chunk);
#pragma unroll
  for (int j = 0; j < count; ++j) term[j] = a[j] * x(c[j]);
#pragma unroll
  for (int j = 0; j < count; ++j) sum += term[j];
}

/// The same for count in [0, most], which is equal in most warps.
template <int most, class T, class X, class Sum>
__device__ void add_rest(int count, T const* value, Index const* column, X const& x, Sum& sum) {
  if constexpr (most > 0) {
    if (count == most) return add_entries<most>(value, column, x, sum);
    add_rest<most - 1>(count, value, column, x, sum);
  }
}

template <class T, class Sum, class Epilogue>
__device__ void finish_slot(SellView<T> const& A, Index slot, Sum sum, Epilogue const& epilogue) {
  auto const i = A.in_order() ? slot : A.row[slot];
  if (i >= 0 && i < A.rows) epilogue(i, sum);
}

/// A warp's lanes are the rows of a chunk, so that its loads are consecutive.
template <class T, class X, class Epilogue>
__global__ void sell_product_kernel(SellView<T> A, Index slots, X x, Epilogue epilogue) {
  constexpr int chunk = SellProductShape::chunk, batch = SellProductShape::batch;
  Index const slot = blockIdx.x * SellProductShape::threads + threadIdx.x;
  if (slot >= slots) return;
  auto const begin = A.offsets[slot / chunk];
  auto left = static_cast<int>(A.offsets[slot / chunk + 1] - begin) / chunk;
  auto const* value = A.value.data() + begin + slot % chunk;
  auto const* column = A.column.data() + begin + slot % chunk;
  decltype(T{} * x(Index{})) sum = 0;
  for (; left >= batch; left -= batch) {
    add_entries<batch>(value, column, x, sum);
    value += batch * chunk;
    column += batch * chunk;
  }
  add_rest<batch - 1>(left, value, column, x, sum);
  finish_slot(A, slot, sum, epilogue);
}

/// A block's warps take the entries of a chunk in turn; the first adds the terms up, in order.
template <int warps, class T, class X, class Epilogue>
__global__ void __launch_bounds__(32 * warps)
    sell_shared_product_kernel(SellView<T> A, X x, Epilogue epilogue) {
  constexpr int chunk = SellProductShape::chunk, batch = SellProductShape::shared_batch;
  constexpr int entries = warps * batch;
  using Sum = decltype(T{} * x(Index{}));
  __shared__ Sum term[entries][chunk];
  int const lane = threadIdx.x % chunk, warp = threadIdx.x / chunk;
  auto const begin = A.offsets[blockIdx.x];
  auto const width = static_cast<int>(A.offsets[blockIdx.x + 1] - begin) / chunk;
  auto const* value = A.value.data() + begin + lane;
  auto const* column = A.column.data() + begin + lane;
  Sum sum = 0;
  for (int from = 0; from < width; from += entries) {
    T a[batch];
    Index c[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      int const j = from + k * warps + warp;
      if (j < width) {
        c[k] = __ldcs(column + j * chunk);
        a[k] = __ldcs(value + j * chunk);
      }
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (from + k * warps + warp < width) term[k * warps + warp][lane] = a[k] * x(c[k]);
    }
    __syncthreads();
    if (warp == 0) {
      int const count = min(width - from, entries);
#pragma unroll 8
      for (int j = 0; j < count; ++j) sum += term[j][lane];
    }
    __syncthreads();
  }
  if (warp == 0) finish_slot(A, static_cast<Index>(blockIdx.x) * chunk + lane, sum, epilogue);
}

template <int warps, class T, class X, class Epilogue>
void launch_shared_sell_product(Cuda const& space, SellView<T> A, unsigned chunks, X x, Epilogue epilogue) {
  sell_shared_product_kernel<warps><<<chunks, 32 * warps, 0, space.stream>>>(A, x, epilogue);
}

/// A.chunk == SellProductShape::chunk.
template <class T, class X, class Epilogue>
void sell_product(Cuda const& space, SellView<T> A, X x, Epilogue epilogue) {
  using Shape = SellProductShape;
  auto const slots = static_cast<Index>(A.row.size());
  if (slots == 0) return;
  auto const chunks = static_cast<unsigned>(slots / Shape::chunk);
  switch (Shape::warps(chunks, A.value.size())) {
    case 1:
      sell_product_kernel<<<(slots + Shape::threads - 1) / Shape::threads, Shape::threads, 0, space.stream>>>(
          A, slots, x, epilogue);
      break;
    case 4:
      launch_shared_sell_product<4>(space, A, chunks, x, epilogue);
      break;
    default:
      launch_shared_sell_product<16>(space, A, chunks, x, epilogue);
  }
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace detail
}  // namespace Tessera::sparse
