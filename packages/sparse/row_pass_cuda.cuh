#pragma once
/// \file
/// One pass over the entries of a Csr on CUDA whose loads are consecutive and whose sums run in storage
/// order.
///
/// One thread a row would load with strides of a row's length; a warp a row would sum in another order. So a
/// block takes some rows together: all its threads load their entries, neighbours by neighbours, into shared
/// memory, and then one thread a row adds its own up, in order. Bitwise what a loop over the row gives.
#include <cuda_runtime.h>

#include <algorithm>

#include "core/cuda_check.cuh"
#include "core/space.hpp"
#include "core/span.hpp"
#include "core/types.hpp"

namespace Tessera::sparse {

struct RowPassShape {
  static constexpr int threads = 256;
  static constexpr int tile = 1024;  ///< entries that a block stages at a time
  int rows_per_block = threads;

  /// A tile for the rows of a block, on average.
  static RowPassShape of(std::size_t rows, std::size_t nonzeros) {
    auto const length = std::max<std::size_t>(1, nonzeros / std::max<std::size_t>(1, rows));
    RowPassShape shape;
    while (shape.rows_per_block > 16 && shape.rows_per_block * length > tile) shape.rows_per_block /= 2;
    return shape;
  }
};

namespace detail {

template <class Body>
__global__ void __launch_bounds__(RowPassShape::threads)
    row_pass_kernel(Offset const* offsets, Index rows, int rows_per_block, Body body) {
  using Entry = decltype(body.load(Offset{}));
  __shared__ alignas(16) unsigned char storage[RowPassShape::tile * sizeof(Entry)];
  auto* const staged = reinterpret_cast<Entry*>(storage);
  Index const first = blockIdx.x * rows_per_block;
  Index const last = min(first + rows_per_block, rows);
  Index const row = first + static_cast<Index>(threadIdx.x);
  bool const mine = static_cast<int>(threadIdx.x) < rows_per_block && row < rows;
  Offset const end = offsets[last];
  Offset k = mine ? offsets[row] : end;
  Offset const row_end = mine ? offsets[row + 1] : end;
  auto state = body.start(mine ? row : first);
  for (Offset from = offsets[first]; from < end; from += RowPassShape::tile) {
    Offset const to = min(from + Offset{RowPassShape::tile}, end);
    // No branch around the loads, so that all of a thread's are under way together.
    Entry entry[RowPassShape::tile / RowPassShape::threads];
#pragma unroll
    for (int e = 0; e < RowPassShape::tile / RowPassShape::threads; ++e) {
      entry[e] = body.load(min(from + e * RowPassShape::threads + threadIdx.x, to - 1));
    }
#pragma unroll
    for (int e = 0; e < RowPassShape::tile / RowPassShape::threads; ++e) {
      auto const place = e * RowPassShape::threads + threadIdx.x;
      if (place < to - from) staged[place] = entry[e];
    }
    __syncthreads();
    for (Offset const stop = min(to, row_end); k < stop; ++k) body.add(state, staged[k - from]);
    __syncthreads();
  }
  if (mine) body.finish(row, state);
}

}  // namespace detail

/// For every row: state = start(row); add(state, load(k)) for its entries k in storage order;
/// finish(row, state). load is called by other threads than add, each once an entry; its result is trivially
/// copyable. start must not write.
template <class Body>
void for_each_row_pass(Cuda const& space, Span<Offset const> offsets, Index rows, std::size_t nonzeros,
                       Body const& body) {
  if (rows == 0) return;
  auto const shape = RowPassShape::of(rows, nonzeros);
  auto const blocks = static_cast<unsigned>((rows + shape.rows_per_block - 1) / shape.rows_per_block);
  detail::row_pass_kernel<<<blocks, RowPassShape::threads, 0, space.stream>>>(offsets.data(), rows,
                                                                              shape.rows_per_block, body);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::sparse
