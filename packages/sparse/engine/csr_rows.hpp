#pragma once
/// \file
/// row_reduce for rows of CSR.
#include "core/interleaved.hpp"
#include "sparse/engine/row_blocks_host.hpp"
#include "sparse/engine/row_reduce.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "core/cuda_check.cuh"
#include "core/shuffle.cuh"
#endif

namespace Tessera::sparse {
namespace detail {

/// Short rows end too often for the hardware's prefetcher. Prefetching 2 KiB raised a 7-point product from 13
/// to 21 GB/s (one thread of a Zen 4).
template <class T>
constexpr Offset prefetch_distance = 2048 / sizeof(T);

/// The sum of a row that may be long.
template <class T, class Term>
auto csr_long_row(CsrView<T> A, Index i, Term term) {
  auto const begin = A.offsets[i], end = A.offsets[i + 1];
  return row_sum<SumOf<Term, T>>(end - begin, [&](auto const& add) {
    for (auto k = begin; k < end; ++k) {
      auto const a = static_cast<EntryOf<Term, T>>(A.value[k]);
      add(entry_term(term, i, k, a, A.column[k]), a != 0);
    }
  });
}

/// Rows at positions [begin, end). Arguments are copies, here and below: stores of an epilogue cannot alias
/// them, so they stay in registers. Four or eight rows at a time were no faster, because instructions limit
/// this loop, not latency.
template <class T, class Term, class Epilogue>
void csr_rows(CsrRows<T> rows, Term term, Epilogue epilogue, Index begin, Index end) {
  using Entry = EntryOf<Term, T>;
  constexpr Offset line = 64 / sizeof(T);
  Offset const* const offsets = rows.matrix.offsets.data();
  T const* const value = rows.matrix.value.data();
  Index const* const column = rows.matrix.column.data();
  for (auto p = begin; p < end; ++p) {
    auto const i = rows[p];
    auto const first = offsets[i], last = offsets[i + 1];
    for (auto k = first + prefetch_distance<T>; k < last + prefetch_distance<T>; k += line) {
      __builtin_prefetch(value + k);
      __builtin_prefetch(column + k);
    }
    if (row_in_pieces<SumOf<Term, T>>(last - first)) {
      epilogue(i, csr_long_row(rows.matrix, i, term));
      continue;
    }
    SumOf<Term, T> sum{};
    for (auto k = first; k < last; ++k)
      sum += entry_term(term, i, k, static_cast<Entry>(value[k]), column[k]);
    epilogue(i, sum);
  }
}

}  // namespace detail

template <class T>
struct RowWalk<Host, CsrRows<T>> {
  template <class Term, class Epilogue>
  static void run(Host const&, CsrRows<T> const& A, Term const& term, Epilogue const& epilogue) {
    auto const rows = [&](Index begin, Index end) {
      range(A, term, core::detail::loaded(epilogue, 0), begin, end);
    };
    if (A.list == nullptr && A.count > 0)
      return detail::for_balanced_parts(A.matrix.offsets.part(0, A.count + std::size_t{1}), rows);
    constexpr std::size_t entries_of_row = 8;  // about
    detail::for_equal_parts(A.count, A.count * entries_of_row, rows);
  }
  template <class Term>
  static bool in_blocks(CsrRows<T> const& A, Term const&) {
    return A.list == nullptr;
  }
  template <class Term, class Epilogue>
  static void range(CsrRows<T> const& A, Term const& term, Epilogue const& epilogue, Index begin, Index end) {
    detail::csr_rows(A, term, epilogue, begin, end);
  }
};

#if defined(TESSERA_CUDA_UNIT)
namespace detail {

/// Launch shapes for rows of CSR, measured on an H200: prolongators with 3 entries a row run at 0.87 of a
/// copy's speed with one lane a row, restrictions with 80 at 0.6 with 4.
struct CsrShape {
  static constexpr int threads = 256;
  static constexpr int short_row = 8;  ///< entries up to which one thread a row is as fast as more

  /// Lanes that share a row: 1, 4, 8, or 32 if there are few rows.
  static int lanes(std::size_t rows, std::size_t entries) {
    auto const length = entries / (rows == 0 ? 1 : rows);
    if (length <= short_row) return 1;
    if (rows <= 2048) return 32;
    return length <= 40 ? 4 : 8;
  }
  /// Entries of a lane that are loaded before the first is needed.
  static constexpr int batch(int lanes) { return lanes == 4 ? 2 : 4; }
  static constexpr int batch_in_block = 8;
  static constexpr Index rows_in_blocks = 1 << 19;  ///< rows from which blocks of core's tree fill the device
};

/// The running sum of a row that `lanes` threads share. Each thread has the whole sum; of `rest`, the sum of
/// its own terms.
template <int lanes, class Sum>
struct RowSum {
  Sum sum{};
  /// Adds the terms of `lanes` entries, one from each lane; `left` of them belong to the row.
  __device__ void add(Sum const& mine, bool, int left) {
#pragma unroll
    for (int l = 0; l < lanes; ++l) {
      Sum next = mine;
      if constexpr (lanes > 1)
        next = core::by_words(mine, [l](auto word) { return __shfl_sync(~0u, word, l, lanes); });
      if (l < left) sum += next;
    }
  }
  __device__ Sum finish() {
    return sum;
  }
};
/// The same for interleaved columns: a lane has every lanes-th column, so that each number of a term goes to
/// one lane only.
template <int lanes, class T, int k>
struct RowSum<lanes, core::Interleaved<T, k>> {
  static constexpr int of_lane = (k + lanes - 1) / lanes;
  T sum[of_lane] = {};
  __device__ void add(core::Interleaved<T, k> const& mine, bool, int left) {
#pragma unroll
    for (int s = 0; s < of_lane; ++s) {
      T term[lanes];
#pragma unroll
      for (int l = 0; l < lanes; ++l) term[l] = s * lanes + l < k ? mine.column[s * lanes + l] : T{0};
      core::transpose(term);
#pragma unroll
      for (int l = 0; l < lanes; ++l) {
        if (l < left) sum[s] += term[l];
      }
    }
  }
  __device__ core::Interleaved<T, k> finish() {
    core::Interleaved<T, k> all;
#pragma unroll
    for (int c = 0; c < k; ++c) all.column[c] = __shfl_sync(~0u, sum[c / lanes], c % lanes, lanes);
    return all;
  }
};
template <int lanes, class Ordered, class Rest>
struct RowSum<lanes, PartlyOrdered<Ordered, Rest>> {
  RowSum<lanes, Ordered> ordered;
  Rest rest{};
  __device__ void add(PartlyOrdered<Ordered, Rest> const& mine, bool counts, int left) {
    ordered.add(mine.ordered, counts, left);
    rest += mine.rest;
  }
  __device__ PartlyOrdered<Ordered, Rest> finish() {
#pragma unroll
    for (int distance = lanes / 2; distance > 0; distance /= 2)
      rest += core::by_words(rest, [=](auto word) { return __shfl_down_sync(~0u, word, distance, lanes); });
    return {ordered.finish(), rest};
  }
};

/// The same for rows that may be long.
template <int lanes, class Sum>
struct LongRowSum {
  PiecewiseSum<Sum> sum;
  __device__ void add(Sum const& mine, bool counts, int left) {
    for (int l = 0; l < lanes; ++l) {
      Sum next = mine;
      int counted = counts ? 1 : 0;
      if constexpr (lanes > 1) {
        auto const of_lane = [l](auto word) { return __shfl_sync(~0u, word, l, lanes); };
        next = core::by_words(mine, of_lane);
        counted = of_lane(counted);
      }
      if (l < left) sum.add(next, counted != 0);
    }
  }
  __device__ Sum finish() { return sum.finish(); }
};

/// The sum of row i from position `begin` on. All lanes of the warp do as many rounds as its longest row
/// needs.
template <int lanes, int batch, class Adder, class T, class Term>
__device__ auto csr_row_sum(CsrView<T> const& A, Index i, Offset begin, int length, int longest, int lane,
                            Term const& term) {
  using Entry = EntryOf<Term, T>;
  using Sum = SumOf<Term, T>;
  auto const* const value = A.value.data() + begin;
  auto const* const column = A.column.data() + begin;
  Adder sum;
  for (int from = 0; from < longest; from += lanes * batch) {
    Entry a[batch] = {};
    Index c[batch];
    Sum next[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      int const j = from + k * lanes + lane;
      if (j < length) {
        c[k] = column[j];
        a[k] = static_cast<Entry>(value[j]);
      }
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      next[k] = Sum{};
      int const j = from + k * lanes + lane;
      if (j < length) next[k] = entry_term(term, i, begin + j, a[k], c[k]);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) sum.add(next[k], a[k] != 0, length - from - k * lanes);
  }
  return sum.finish();
}

/// The sum of row i by `lanes` neighbours: each loads every lanes-th entry, and each adds the terms of all.
/// `mine`: whether the row exists; all lanes of a warp call this.
template <int lanes, int batch, class T, class Term>
__device__ auto csr_row_sum(CsrView<T> const& A, Index i, bool mine, int lane, Term const& term) {
  using Sum = SumOf<Term, T>;
  Offset const begin = mine ? A.offsets[i] : 0;
  auto const length = mine ? static_cast<int>(A.offsets[i + 1] - begin) : 0;
  int longest = length;
  if constexpr (lanes > 1) longest = __reduce_max_sync(~0u, length);
  if constexpr (sums_in_pieces<Sum>) {
    if (row_in_pieces<Sum>(longest))
      return csr_row_sum<lanes, 2, LongRowSum<lanes, Sum>>(A, i, begin, length, longest, lane, term);
  }
  return csr_row_sum<lanes, batch, RowSum<lanes, Sum>>(A, i, begin, length, longest, lane, term);
}

template <int lanes, class T, class Term, class Epilogue>
__global__ void __launch_bounds__(CsrShape::threads)
    csr_rows_kernel(CsrRows<T> rows, Term term, Epilogue epilogue) {
  auto const thread = static_cast<std::size_t>(blockIdx.x) * CsrShape::threads + threadIdx.x;
  auto const p = static_cast<Index>(thread / lanes);
  int const lane = threadIdx.x % lanes;
  bool const mine = p < rows.count;
  Index const i = mine ? rows[p] : 0;
  auto const sum = csr_row_sum<lanes, CsrShape::batch(lanes)>(rows.matrix, i, mine, lane, term);
  if (mine && lane == 0) core::detail::loaded(epilogue, 0)(i, sum);
}

}  // namespace detail

template <class T>
struct RowWalk<Cuda, CsrRows<T>> {
  template <class Term, class Epilogue>
  static void run(Cuda const& space, CsrRows<T> const& A, Term const& term, Epilogue const& epilogue) {
    using Shape = detail::CsrShape;
    if (A.count == 0) return;
    auto const launch = [&](auto width) {
      constexpr int lanes = decltype(width)::value;
      auto const threads = static_cast<std::size_t>(A.count) * lanes;
      auto const blocks = static_cast<unsigned>((threads + Shape::threads - 1) / Shape::threads);
      detail::csr_rows_kernel<lanes><<<blocks, Shape::threads, 0, space.stream>>>(A, term, epilogue);
    };
    switch (Shape::lanes(A.matrix.rows, A.matrix.column.size())) {
      case 1:
        launch(std::integral_constant<int, 1>{});
        break;
      case 4:
        launch(std::integral_constant<int, 4>{});
        break;
      case 8:
        launch(std::integral_constant<int, 8>{});
        break;
      default:
        launch(std::integral_constant<int, 32>{});
    }
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }
  template <class Term>
  static auto in_blocks(CsrRows<T> const& A, Term const&) {
    if constexpr (sizeof(detail::SumOf<Term, T>) > sizeof(double)) {
      return std::false_type{};  // wide sums need registers, which lowers the occupancy of a kernel that
                                 // waits for memory
    } else {
      return A.list == nullptr && A.count >= detail::CsrShape::rows_in_blocks &&
             A.matrix.column.size() <= detail::CsrShape::short_row * static_cast<std::size_t>(A.count);
    }
  }
  template <class Term>
  static __device__ auto sum(CsrRows<T> const& A, Index i, Term const& term) {
    return detail::csr_row_sum<1, detail::CsrShape::batch_in_block>(A.matrix, i, true, 0, term);
  }
};
#endif

}  // namespace Tessera::sparse
