#pragma once
/// \file
/// Row products with Csr on CUDA.
#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "core/cuda_check.cuh"
#include "core/space.hpp"
#include "sparse/csr.hpp"

namespace Tessera::sparse {

/// Launch shapes, measured on an H200: prolongators with 3 entries a row run at 0.87 of a copy's speed with
/// one lane a row, restrictions with 80 at 0.6 with 4.
struct CsrProductShape {
  static constexpr int threads = 256;

  /// Lanes that share a row: 1, 4, 8, or all 32 where rows are few.
  static int lanes(std::size_t rows, std::size_t entries) {
    auto const length = entries / (rows == 0 ? 1 : rows);
    if (length <= 8) return 1;
    if (rows <= 2048) return 32;
    return length <= 40 ? 4 : 8;
  }
};

/// A sum of which only a part must run in storage order; `rest` may be added up in any.
template <class Ordered, class Rest>
struct PartlyOrdered {
  Ordered ordered{};
  Rest rest{};
  TESSERA_HD PartlyOrdered& operator+=(PartlyOrdered const& other) {
    ordered += other.ordered;
    rest += other.rest;
    return *this;
  }
};

namespace detail {

/// What entry k of row i adds: x.term(i, k, a, column) where x has that, else a x(column).
template <class X, class T>
__device__ auto entry_term(X const& x, Index i, Offset k, T a, Index column, int)
    -> decltype(x.term(i, k, a, column)) {
  return x.term(i, k, a, column);
}
template <class X, class T>
__device__ auto entry_term(X const& x, Index, Offset, T a, Index column, long) {
  return a * x(column);
}

/// What lane l of a group of `lanes` has, number by number.
template <class Sum>
__device__ Sum handed_round(Sum const& mine, int l, int lanes) {
  static_assert(sizeof(Sum) % sizeof(int) == 0 && std::is_trivially_copyable_v<Sum>);
  Sum result;
  auto const* from = reinterpret_cast<int const*>(&mine);
  auto* to = reinterpret_cast<int*>(&result);
#pragma unroll
  for (std::size_t w = 0; w < sizeof(Sum) / sizeof(int); ++w) to[w] = __shfl_sync(~0u, from[w], l, lanes);
  return result;
}

/// Adds up what the lanes of each group have; the first lane gets it.
template <int lanes, class Sum>
__device__ void add_up(Sum& sum) {
  static_assert(sizeof(Sum) % sizeof(int) == 0 && std::is_trivially_copyable_v<Sum>);
#pragma unroll
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    Sum other;
    auto const* from = reinterpret_cast<int const*>(&sum);
    auto* to = reinterpret_cast<int*>(&other);
#pragma unroll
    for (std::size_t w = 0; w < sizeof(Sum) / sizeof(int); ++w)
      to[w] = __shfl_down_sync(~0u, from[w], distance, lanes);
    sum += other;
  }
}

/// The running sum of a row that `lanes` threads share: each has all of it, or of `rest` its own terms'.
template <int lanes, class Sum>
struct RowSum {
  Sum sum{};
  /// The terms of `lanes` entries, one of each lane, of which `left` belong to the row.
  __device__ void add(Sum const& mine, int left) {
#pragma unroll
    for (int l = 0; l < lanes; ++l) {
      Sum const next = lanes == 1 ? mine : handed_round(mine, l, lanes);
      if (l < left) sum += next;
    }
  }
  __device__ Sum finish() {
    return sum;
  }
};
template <int lanes, class Ordered, class Rest>
struct RowSum<lanes, PartlyOrdered<Ordered, Rest>> {
  RowSum<lanes, Ordered> ordered;
  Rest rest{};
  __device__ void add(PartlyOrdered<Ordered, Rest> const& mine, int left) {
    ordered.add(mine.ordered, left);
    rest += mine.rest;
  }
  __device__ PartlyOrdered<Ordered, Rest> finish() {
    add_up<lanes>(rest);
    return {ordered.finish(), rest};
  }
};

/// (A x)_i by one thread, `batch` loads underway at once. Entry: the type that entries are rounded to.
template <int batch, class Entry, class T, class X>
__device__ auto rounded_row_sum(CsrView<T> const& A, Index i, X const& x) {
  auto const begin = A.offsets[i];
  auto const length = static_cast<int>(A.offsets[i + 1] - begin);
  auto const* const value = A.value.data() + begin;
  auto const* const column = A.column.data() + begin;
  decltype(Entry{} * x(Index{})) sum = 0;
  for (int from = 0; from < length; from += batch) {
    Entry a[batch];
    Index c[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (from + k < length) {
        c[k] = column[from + k];
        a[k] = static_cast<Entry>(value[from + k]);
      }
    }
    decltype(sum) term[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (from + k < length) term[k] = a[k] * x(c[k]);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (from + k < length) sum += term[k];
    }
  }
  return sum;
}

template <int batch, class T, class X>
__device__ auto row_sum(CsrView<T> const& A, Index i, X const& x) {
  return rounded_row_sum<batch, T>(A, i, x);
}

/// `lanes` neighbours share a row: each multiplies every lanes-th entry, and all of them add up the terms of
/// all, handed round by shuffles, in storage order. Terms are numbers, or several of them in one.
template <int lanes, class T, class X, class Epilogue>
__global__ void __launch_bounds__(CsrProductShape::threads)
    csr_product_kernel(CsrView<T> A, Index const* list, Index rows, X x, Epilogue epilogue) {
  constexpr int batch = lanes == 4 ? 2 : 4;
  using Sum = decltype(entry_term(x, Index{}, Offset{}, T{}, Index{}, 0));
  auto const thread = static_cast<std::size_t>(blockIdx.x) * CsrProductShape::threads + threadIdx.x;
  auto const p = static_cast<Index>(thread / lanes);
  int const lane = threadIdx.x % lanes;
  bool const mine = p < rows;
  Index const i = !mine ? 0 : list == nullptr ? p : list[p];
  Offset const begin = mine ? A.offsets[i] : 0;
  auto const length = mine ? static_cast<int>(A.offsets[i + 1] - begin) : 0;
  auto const* const value = A.value.data() + begin;
  auto const* const column = A.column.data() + begin;
  int longest = length;  // of the warp's rows: its lanes go round together
  if constexpr (lanes > 1) longest = __reduce_max_sync(~0u, length);
  RowSum<lanes, Sum> sum;
  for (int from = 0; from < longest; from += lanes * batch) {
    T a[batch];
    Index c[batch];
    Sum term[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      int const j = from + k * lanes + lane;
      if (j < length) {
        c[k] = column[j];
        a[k] = value[j];
      }
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      term[k] = Sum{};
      int const j = from + k * lanes + lane;
      if (j < length) term[k] = entry_term(x, i, begin + j, a[k], c[k], 0);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) sum.add(term[k], length - from - k * lanes);
  }
  auto const total = sum.finish();
  if (mine && lane == 0) epilogue(i, total);
}

/// The listed rows, or the first `rows` when list is null.
template <class T, class X, class Epilogue>
void csr_product(Cuda const& space, CsrView<T> A, Index const* list, std::size_t rows, X x,
                 Epilogue epilogue) {
  using Shape = CsrProductShape;
  if (rows == 0) return;
  auto const launch = [&](auto kernel, std::size_t lanes) {
    auto const blocks = static_cast<unsigned>((rows * lanes + Shape::threads - 1) / Shape::threads);
    kernel<<<blocks, Shape::threads, 0, space.stream>>>(A, list, static_cast<Index>(rows), x, epilogue);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  };
  switch (Shape::lanes(A.rows, A.column.size())) {
    case 1:
      return launch(csr_product_kernel<1, T, X, Epilogue>, 1);
    case 4:
      return launch(csr_product_kernel<4, T, X, Epilogue>, 4);
    case 8:
      return launch(csr_product_kernel<8, T, X, Epilogue>, 8);
    default:
      return launch(csr_product_kernel<32, T, X, Epilogue>, 32);
  }
}

}  // namespace detail
}  // namespace Tessera::sparse
