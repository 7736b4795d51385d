#pragma once
/// \file
/// Row products with SELL-32-sigma on CUDA whose terms depend on the entry's place in the Csr that it was
/// made of.
#include "sparse/csr_product_cuda.cuh"
#include "sparse/sell_product_cuda.cuh"

namespace Tessera::sparse {
namespace detail {

/// One thread a slot.
template <class T, class X, class Epilogue>
__global__ void __launch_bounds__(SellProductShape::threads)
    sell_terms_kernel(SellView<T> A, Offset const* offsets, Index slots, X x, Epilogue epilogue) {
  constexpr int chunk = SellProductShape::chunk, batch = 4;
  using Sum = decltype(entry_term(x, Index{}, Offset{}, T{}, Index{}, 0));
  Index const slot = blockIdx.x * SellProductShape::threads + threadIdx.x;
  if (slot >= slots) return;
  Index const i = A.in_order() ? slot : A.row[slot];
  if (i < 0 || i >= A.rows) return;
  auto const first = offsets[i];
  auto const length = static_cast<int>(offsets[i + 1] - first);
  auto const at = A.offsets[slot / chunk] + slot % chunk;
  auto const* const value = A.value.data() + at;
  auto const* const column = A.column.data() + at;
  Sum sum{};
  for (int from = 0; from < length; from += batch) {
    T a[batch];
    Index c[batch];
    Sum term[batch];
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      if (from + j >= length) continue;
      c[j] = __ldcs(column + static_cast<std::size_t>(from + j) * chunk);
      a[j] = __ldcs(value + static_cast<std::size_t>(from + j) * chunk);
    }
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      if (from + j < length) term[j] = entry_term(x, i, first + from + j, a[j], c[j], 0);
    }
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      if (from + j < length) sum += term[j];
    }
  }
  epilogue(i, sum);
}

}  // namespace detail

/// for_each_row_product with terms x.term(i, k, a, column), k counted as in the Csr with these offsets; A has
/// all of its rows, and its chunk is SellProductShape::chunk.
template <class T, class X, class Epilogue>
void for_each_row_of_terms(Cuda const& space, SellView<T> A, Span<Offset const> offsets, X x,
                           Epilogue epilogue) {
  constexpr auto threads = SellProductShape::threads;
  auto const slots = static_cast<Index>(A.row.size());
  if (slots == 0) return;
  detail::sell_terms_kernel<<<(slots + threads - 1) / threads, threads, 0, space.stream>>>(
      A, offsets.data(), slots, x, epilogue);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::sparse
