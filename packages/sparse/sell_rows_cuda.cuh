#pragma once
/// \file
/// From SELL-C-sigma to Csr on CUDA. One thread a slot would write with strides: so a block takes the slots
/// of a window, whose rows lie side by side in the Csr, and passes their columns through shared memory.
#include <limits>

#include "core/cuda_check.cuh"
#include "sparse/sell_body.hpp"

namespace Tessera::sparse {
namespace detail {

struct WindowShape {
  static constexpr int threads = 256;  ///< slots of a block
  static constexpr int tile = 2048;    ///< entries that are staged at a time
};

/// The entries that a block's rows span in the Csr, and how many they are.
struct WindowEntries {
  unsigned long long low, high, count;

  /// Called by all threads, each with its row's entries; shared is theirs.
  __device__ static WindowEntries of(Offset begin, Offset end, WindowEntries& shared) {
    constexpr auto none = std::numeric_limits<unsigned long long>::max();
    if (threadIdx.x == 0) shared = {none, 0, 0};
    __syncthreads();
    auto low = end > begin ? static_cast<unsigned long long>(begin) : none;
    auto high = end > begin ? static_cast<unsigned long long>(end) : 0;
    auto count = static_cast<unsigned long long>(end - begin);
    for (int distance = 16; distance > 0; distance /= 2) {
      low = min(low, __shfl_xor_sync(0xffffffffu, low, distance));
      high = max(high, __shfl_xor_sync(0xffffffffu, high, distance));
      count += __shfl_xor_sync(0xffffffffu, count, distance);
    }
    if (threadIdx.x % 32 == 0) {
      atomicMin(&shared.low, low);
      atomicMax(&shared.high, high);
      atomicAdd(&shared.count, count);
    }
    __syncthreads();
    return shared;
  }
};

/// Columns only. Rows that do not fill the entries they span are written one by one: what lies between them
/// is not theirs.
template <class T>
__global__ void __launch_bounds__(WindowShape::threads)
    write_rows_kernel(RowFromSlotBody<T> from, Index slots) {
  constexpr int tile = WindowShape::tile, threads = WindowShape::threads;
  __shared__ Index column[tile];
  __shared__ WindowEntries shared;
  auto const slot = static_cast<Index>(blockIdx.x * threads + threadIdx.x);
  Index const i = slot < slots ? from.S.row[slot] : -1;
  Offset k = i < 0 ? 0 : from.offsets[i];
  Offset const end = i < 0 ? 0 : from.offsets[i + 1];
  auto const window = WindowEntries::of(k, end, shared);
  if (window.high - window.low != window.count) {
    if (i >= 0) from(slot);
    return;
  }
  Offset at = i < 0 ? 0 : from.S.offsets[slot / from.S.chunk] + slot % from.S.chunk;
  auto const high = static_cast<Offset>(window.high);
  for (auto first = static_cast<Offset>(window.low); first < high; first += tile) {
    Offset const until = min(first + Offset{tile}, high);
    for (Offset const here = min(until, end); k < here; ++k, at += from.S.chunk)
      column[k - first] = from.S.column[at];
    __syncthreads();
    for (Offset e = first + threadIdx.x; e < until; e += threads) from.column[e] = column[e - first];
    __syncthreads();
  }
}

}  // namespace detail

template <class T>
void write_columns(Cuda const& space, RowFromSlotBody<T> const& body) {
  auto const slots = body.S.row.size();
  if (slots == 0) return;
  constexpr std::size_t threads = detail::WindowShape::threads;
  detail::
      write_rows_kernel<<<static_cast<unsigned>((slots + threads - 1) / threads), threads, 0, space.stream>>>(
          body, static_cast<Index>(slots));
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::sparse
