#pragma once
/// \file
/// Row products with SELL-32-sigma on CUDA.
#include <cuda_runtime.h>

#include <algorithm>
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

  // Few chunks do not fill the device, and long rows then take long: as many warps share a chunk as it is
  // batches wide.
  static constexpr std::size_t few_chunks = 2048;
  static constexpr int most_warps = 16;

  /// Warps that share a chunk.
  static int warps(std::size_t chunks, std::size_t entries) {
    if (chunks >= few_chunks) return 1;
    auto const width = (entries / chunks + chunk - 1) / chunk;
    return static_cast<int>(std::min<std::size_t>(most_warps, (width + batch - 1) / batch));
  }
};

namespace detail {

/// take(j, term j) for the first `count` entries of a row, in order, with all their loads underway at once.
/// What is read once leaves the first cache to x (__ldcs).
template <int count, class T, class X, class Take>
__device__ void terms(T const* value, Index const* column, X const& x, Take const& take) {
  T a[count];
  Index c[count];
  decltype(T{} * x(Index{})) term[count];
#pragma unroll
  for (int j = 0; j < count; ++j) c[j] = __ldcs(column + j * SellProductShape::chunk);
#pragma unroll
  for (int j = 0; j < count; ++j) a[j] = __ldcs(value + j * SellProductShape::chunk);
#pragma unroll
  for (int j = 0; j < count; ++j) term[j] = a[j] * x(c[j]);
#pragma unroll
  for (int j = 0; j < count; ++j) take(j, term[j]);
}

/// The same for min(count, most) entries, a number that is equal in most warps.
template <int most, class T, class X, class Take>
__device__ void terms_up_to(int count, T const* value, Index const* column, X const& x, Take const& take) {
  if constexpr (most > 0) {
    if (count >= most) return terms<most>(value, column, x, take);
    terms_up_to<most - 1>(count, value, column, x, take);
  }
}

template <class T, class Sum, class Epilogue>
__device__ void finish_slot(SellView<T> const& A, Index slot, Sum sum, Epilogue const& epilogue) {
  auto const i = A.in_order() ? slot : A.row[slot];
  if (i >= 0 && i < A.rows) epilogue(i, sum);
}

/// (A x)_i for the row in `slot`, by one thread; A.chunk is SellProductShape::chunk.
template <class T, class X>
__device__ auto slot_sum(SellView<T> const& A, Index slot, X const& x) {
  constexpr int chunk = SellProductShape::chunk, batch = SellProductShape::batch;
  auto const begin = A.offsets[slot / chunk];
  auto left = static_cast<int>(A.offsets[slot / chunk + 1] - begin) / chunk;
  auto const* value = A.value.data() + begin + slot % chunk;
  auto const* column = A.column.data() + begin + slot % chunk;
  decltype(T{} * x(Index{})) sum = 0;
  auto const add = [&sum](int, auto term) { sum += term; };
  for (; left >= batch; left -= batch) {
    terms<batch>(value, column, x, add);
    value += batch * chunk;
    column += batch * chunk;
  }
  terms_up_to<batch - 1>(left, value, column, x, add);
  return sum;
}

/// A warp's lanes are the rows of a chunk, so that its loads are consecutive.
template <class T, class X, class Epilogue>
__global__ void sell_product_kernel(SellView<T> A, Index slots, X x, Epilogue epilogue) {
  Index const slot = blockIdx.x * SellProductShape::threads + threadIdx.x;
  if (slot < slots) finish_slot(A, slot, slot_sum(A, slot, x), epilogue);
}

/// A block's warps take a batch each of a chunk's entries; the first adds the terms up, in order.
template <class T, class X, class Epilogue>
__global__ void __launch_bounds__(SellProductShape::chunk* SellProductShape::most_warps)
    sell_shared_product_kernel(SellView<T> A, X x, Epilogue epilogue) {
  constexpr int chunk = SellProductShape::chunk, batch = SellProductShape::batch;
  using Sum = decltype(T{} * x(Index{}));
  extern __shared__ __align__(16) unsigned char storage[];
  auto* const shared = reinterpret_cast<Sum(*)[chunk]>(storage);  // a round's terms
  int const lane = threadIdx.x % chunk, warp = threadIdx.x / chunk;
  int const round = static_cast<int>(blockDim.x) / chunk * batch;
  auto const begin = A.offsets[blockIdx.x];
  auto const width = static_cast<int>(A.offsets[blockIdx.x + 1] - begin) / chunk;
  auto const* value = A.value.data() + begin + warp * batch * chunk + lane;
  auto const* column = A.column.data() + begin + warp * batch * chunk + lane;
  Sum sum = 0;
  for (int left = width; left > 0; left -= round, value += round * chunk, column += round * chunk) {
    terms_up_to<batch>(left - warp * batch, value, column, x,
                       [&](int j, Sum term) { shared[warp * batch + j][lane] = term; });
    __syncthreads();
    if (warp == 0) {
      int const count = min(left, round);
#pragma unroll 8
      for (int j = 0; j < count; ++j) sum += shared[j][lane];
    }
    __syncthreads();
  }
  if (warp == 0) finish_slot(A, static_cast<Index>(blockIdx.x) * chunk + lane, sum, epilogue);
}

/// A.chunk == SellProductShape::chunk.
template <class T, class X, class Epilogue>
void sell_product(Cuda const& space, SellView<T> A, X x, Epilogue epilogue) {
  using Shape = SellProductShape;
  auto const slots = static_cast<Index>(A.row.size());
  if (slots == 0) return;
  auto const chunks = static_cast<unsigned>(slots / Shape::chunk);
  auto const warps = Shape::warps(chunks, A.value.size());
  if (warps <= 1) {
    sell_product_kernel<<<(slots + Shape::threads - 1) / Shape::threads, Shape::threads, 0, space.stream>>>(
        A, slots, x, epilogue);
  } else {
    auto const bytes = sizeof(T{} * x(Index{})) * warps * Shape::batch * Shape::chunk;
    sell_shared_product_kernel<<<chunks, warps * Shape::chunk, bytes, space.stream>>>(A, x, epilogue);
  }
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace detail
}  // namespace Tessera::sparse
