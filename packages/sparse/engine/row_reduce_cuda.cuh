#pragma once
/// \file
/// See row_reduce.hpp.
#include <algorithm>
#include <cstddef>

#include "core/cuda_check.cuh"
#include "core/shuffle.cuh"
#include "core/space.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::sparse {
namespace detail {

/// Launch shapes for rows of CSR, measured on an H200: prolongators with 3 entries a row run at 0.87 of a
/// copy's speed with one lane a row, restrictions with 80 at 0.6 with 4.
struct CsrShape {
  static constexpr int threads = 256;
  static constexpr int short_row = 8;  ///< entries up to which a thread a row is as good as any way

  /// Lanes that share a row: 1, 4, 8, or all 32 where rows are few.
  static int lanes(std::size_t rows, std::size_t entries) {
    auto const length = entries / (rows == 0 ? 1 : rows);
    if (length <= short_row) return 1;
    if (rows <= 2048) return 32;
    return length <= 40 ? 4 : 8;
  }
  /// Entries of a lane that are loaded before the first is needed.
  static constexpr int batch(int lanes) { return lanes == 4 ? 2 : 4; }
  static constexpr int batch_in_block = 8;
};

/// The running sum of a row that `lanes` threads share: each has all of it, or of `rest` its own terms'.
template <int lanes, class Sum>
struct RowSum {
  Sum sum{};
  /// The terms of `lanes` entries, one of each lane, of which `left` belong to the row.
  __device__ void add(Sum const& mine, int left) {
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
template <int lanes, class Ordered, class Rest>
struct RowSum<lanes, PartlyOrdered<Ordered, Rest>> {
  RowSum<lanes, Ordered> ordered;
  Rest rest{};
  __device__ void add(PartlyOrdered<Ordered, Rest> const& mine, int left) {
    ordered.add(mine.ordered, left);
    rest += mine.rest;
  }
  __device__ PartlyOrdered<Ordered, Rest> finish() {
#pragma unroll
    for (int distance = lanes / 2; distance > 0; distance /= 2)
      rest += core::by_words(rest, [=](auto word) { return __shfl_down_sync(~0u, word, distance, lanes); });
    return {ordered.finish(), rest};
  }
};

/// The sum of row i, which `lanes` neighbours share: each takes every lanes-th entry, and all of them add up
/// the terms of all. `mine`: whether there is such a row; all lanes of a warp come here.
template <int lanes, int batch, class T, class Term>
__device__ auto csr_row_sum(CsrView<T> const& A, Index i, bool mine, int lane, Term const& term) {
  using Entry = EntryOf<Term, T>;
  using Sum = SumOf<Term, T>;
  Offset const begin = mine ? A.offsets[i] : 0;
  auto const length = mine ? static_cast<int>(A.offsets[i + 1] - begin) : 0;
  auto const* const value = A.value.data() + begin;
  auto const* const column = A.column.data() + begin;
  int longest = length;  // of the warp's rows: its lanes go round together
  if constexpr (lanes > 1) longest = __reduce_max_sync(~0u, length);
  RowSum<lanes, Sum> sum;
  for (int from = 0; from < longest; from += lanes * batch) {
    Entry a[batch];
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
    for (int k = 0; k < batch; ++k) sum.add(next[k], length - from - k * lanes);
  }
  return sum.finish();
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

/// Launch shapes for slots, measured with benchmarks/gpu/spmv_benchmark.cu on an H200.
struct SlotShape {
  static constexpr int chunk = 32;
  static constexpr int batch = 8;  ///< entries of a row that are loaded before the first is needed
  static constexpr int threads = 128;

  // Few chunks do not fill the device, and long rows then take long: as many warps share a chunk as it is
  // batches wide. (Four warps for each of 3214 chunks slowed a cycle from 226 to 252 us.)
  static constexpr std::size_t few_chunks = 2048;
  static constexpr int most_warps = 16;

  /// Warps that share a chunk.
  static int warps(std::size_t chunks, std::size_t entries) {
    if (chunks >= few_chunks) return 1;
    auto const width = (entries / chunks + chunk - 1) / chunk;
    return static_cast<int>(std::min<std::size_t>(most_warps, (width + batch - 1) / batch));
  }
};

/// How kernels reach the entries of a format that keeps those of neighbouring slots side by side: entry j of
/// a slot is at begin(slot) + j * stride(), for j < length(slot). C: 0 where only a launch knows it.
template <class T, int C>
struct SellSlots {
  SellView<T> A;
  __host__ __device__ Index count() const { return static_cast<Index>(A.row.size()); }
  __device__ int stride() const { return C > 0 ? C : A.chunk; }
  __device__ Offset begin(Index slot) const { return A.offsets[slot / stride()] + slot % stride(); }
  __device__ int length(Index slot) const {
    auto const c = slot / stride();
    return static_cast<int>(A.offsets[c + 1] - A.offsets[c]) / stride();
  }
  /// Negative: none.
  __device__ Index row(Index slot) const {
    Index const i = A.in_order() ? slot : A.row[slot];
    return i < A.rows ? i : -1;
  }
  __device__ T const* value() const { return A.value.data(); }
  __device__ Index const* column() const { return A.column.data(); }
};

/// take(j, term j) for `count` entries of a slot from place k on, in order, with all their loads underway at
/// once. What is read once leaves the first cache to x (__ldcs).
template <int count, class Slots, class Term, class Take>
__device__ void slot_terms(Slots const& A, Index i, Offset k, Term const& term, Take const& take) {
  using T = std::decay_t<decltype(*A.value())>;
  auto const* const value = A.value() + k;
  auto const* const column = A.column() + k;
  T a[count];
  Index c[count];
  SumOf<Term, T> next[count];
#pragma unroll
  for (int j = 0; j < count; ++j) c[j] = __ldcs(column + j * A.stride());
#pragma unroll
  for (int j = 0; j < count; ++j) a[j] = __ldcs(value + j * A.stride());
#pragma unroll
  for (int j = 0; j < count; ++j)
    next[j] = entry_term(term, i, k + j * A.stride(), static_cast<EntryOf<Term, T>>(a[j]), c[j]);
#pragma unroll
  for (int j = 0; j < count; ++j) take(j, next[j]);
}

/// The same for min(count, most) entries, a number that is equal in most warps.
template <int most, class Slots, class Term, class Take>
__device__ void slot_terms_up_to(int count, Slots const& A, Index i, Offset k, Term const& term,
                                 Take const& take) {
  if constexpr (most > 0) {
    if (count >= most) return slot_terms<most>(A, i, k, term, take);
    slot_terms_up_to<most - 1>(count, A, i, k, term, take);
  }
}

/// The sum of a slot, by one thread; i: its row, of terms that want to know.
template <class Slots, class Term>
__device__ auto slot_sum(Slots const& A, Index slot, Index i, Term const& term) {
  constexpr int batch = SlotShape::batch;
  using Sum = SumOf<Term, std::decay_t<decltype(*A.value())>>;
  auto k = A.begin(slot);
  int left = A.length(slot);
  Sum sum{};
  auto const add = [&sum](int, Sum const& next) { sum += next; };
  for (; left >= batch; left -= batch, k += batch * A.stride()) slot_terms<batch>(A, i, k, term, add);
  slot_terms_up_to<batch - 1>(left, A, i, k, term, add);
  return sum;
}

/// A warp's lanes are neighbouring slots, so that its loads are consecutive.
/// Tried at Laplace3D 101^3 (24.7 us): two or four rows a thread, by vector loads, 27.5.
template <class Slots, class Term, class Epilogue>
__global__ void __launch_bounds__(SlotShape::threads) slots_kernel(Slots A, Term term, Epilogue epilogue) {
  Index const slot = blockIdx.x * SlotShape::threads + threadIdx.x;
  if (slot >= A.count()) return;
  using T = std::decay_t<decltype(*A.value())>;
  if (knows_entries<Term, T> && A.row(slot) < 0) return;
  auto const sum = slot_sum(A, slot, A.row(slot), term);
  if (Index const i = A.row(slot); i >= 0) core::detail::loaded(epilogue, 0)(i, sum);
}

/// A block's warps take a batch each of a chunk's entries; the first adds the terms up, in order.
template <class T, class Term, class Epilogue>
__global__ void __launch_bounds__(SlotShape::chunk* SlotShape::most_warps)
    shared_chunk_kernel(SellSlots<T, SlotShape::chunk> A, Term term, Epilogue epilogue) {
  constexpr int chunk = SlotShape::chunk, batch = SlotShape::batch;
  using Sum = SumOf<Term, T>;
  extern __shared__ __align__(16) unsigned char storage[];
  auto* const shared = reinterpret_cast<Sum(*)[chunk]>(storage);  // a round's terms
  int const lane = threadIdx.x % chunk, warp = threadIdx.x / chunk;
  int const round = static_cast<int>(blockDim.x) / chunk * batch;
  auto const slot = static_cast<Index>(blockIdx.x) * chunk + lane;
  bool const known = !knows_entries<Term, T> || A.row(slot) >= 0;
  auto k = A.begin(slot) + warp * batch * chunk;
  Sum sum{};
  for (int left = A.length(slot); left > 0; left -= round, k += round * chunk) {
    slot_terms_up_to<batch>(known ? left - warp * batch : 0, A, A.row(slot), k, term,
                            [&](int j, Sum const& next) { shared[warp * batch + j][lane] = next; });
    __syncthreads();
    if (warp == 0) {
      int const count = min(left, round);
#pragma unroll 8
      for (int j = 0; j < count; ++j) sum += shared[j][lane];
    }
    __syncthreads();
  }
  Index const i = A.row(slot);
  if (warp == 0 && i >= 0) core::detail::loaded(epilogue, 0)(i, sum);
}

}  // namespace detail

template <>
struct RowReduce<Cuda> {
  static constexpr int chunk = detail::SlotShape::chunk;

  template <class T, class Term, class Epilogue>
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

  template <class T, class Term, class Epilogue>
  static void run(Cuda const& space, SellView<T> const& A, Term const& term, Epilogue const& epilogue) {
    using Shape = detail::SlotShape;
    auto const slots = A.row.size();
    if (slots == 0) return;
    auto const blocks = static_cast<unsigned>((slots + Shape::threads - 1) / Shape::threads);
    auto const warps = A.chunk == chunk ? Shape::warps(slots / chunk, A.value.size()) : 1;
    if (warps > 1) {
      auto const bytes = sizeof(detail::SumOf<Term, T>) * warps * Shape::batch * chunk;
      detail::
          shared_chunk_kernel<<<static_cast<unsigned>(slots / chunk), warps * chunk, bytes, space.stream>>>(
              detail::SellSlots<T, chunk>{A}, term, epilogue);
    } else if (A.chunk == chunk) {
      detail::slots_kernel<<<blocks, Shape::threads, 0, space.stream>>>(detail::SellSlots<T, chunk>{A}, term,
                                                                        epilogue);
    } else {
      detail::slots_kernel<<<blocks, Shape::threads, 0, space.stream>>>(detail::SellSlots<T, 0>{A}, term,
                                                                        epilogue);
    }
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }

  template <class T, class Term>
  static auto in_blocks(CsrRows<T> const& A, Term const&) {
    if constexpr (sizeof(detail::SumOf<Term, T>) > sizeof(double)) {
      return std::false_type{};  // they take registers, and then threads, from what waits for memory
    } else {
      return A.list == nullptr &&
             A.matrix.column.size() <= detail::CsrShape::short_row * static_cast<std::size_t>(A.count);
    }
  }
  template <class T, class Term>
  static bool in_blocks(SellView<T> const& A, Term const&) {
    return A.in_order() && A.chunk == chunk;
  }

  template <class Rows, class Term, class Epilogue>
  struct Block {
    Rows A;
    Term term;
    Epilogue epilogue;
    __device__ void operator()(Index i) const { core::detail::loaded(epilogue, 0)(i, sum(A, i)); }

   private:
    template <class T>
    __device__ auto sum(CsrRows<T> const& rows, Index i) const {
      return detail::csr_row_sum<1, detail::CsrShape::batch_in_block>(rows.matrix, i, true, 0, term);
    }
    template <class T>
    __device__ auto sum(SellView<T> const& rows, Index i) const {
      return detail::slot_sum(detail::SellSlots<T, chunk>{rows}, i, i, term);
    }
  };
};

}  // namespace Tessera::sparse
