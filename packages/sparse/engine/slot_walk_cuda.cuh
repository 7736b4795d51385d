#pragma once
/// \file
/// Walks over interleaved rows on CUDA; see slot_walk.hpp.
#include <algorithm>
#include <cstddef>

#include "core/cuda_check.cuh"
#include "core/half.hpp"
#include "core/space.hpp"
#include "sparse/engine/slot_walk.hpp"

namespace Tessera::sparse {
namespace detail {

/// Launch shapes for slots, measured with benchmarks/gpu/spmv_benchmark.cu on an H200.
struct SlotShape {
  static constexpr int chunk = 32;
  /// Entries of a row that are loaded before the first is needed: as many as fit into the same registers for
  /// wide sums; whole runs where a column serves `run` entries.
  template <class Sum, int run = 1>
  static constexpr int batch =
      ((core::columns_of<Sum> == 1 ? 8 : 128 / static_cast<int>(sizeof(Sum))) + run - 1) / run* run;
  static constexpr int threads = 128;

  // Few chunks do not fill the device, and long rows delay the kernel: as many warps share a chunk as it is
  // batches wide. (Four warps for each of 3214 chunks slowed a cycle from 226 to 252 us.)
  static constexpr std::size_t few_chunks = 2048;
  static constexpr int most_warps = 16;

  /// Bytes; the rest of 48 KiB is for other shared data of a kernel.
  static constexpr int most_shared = 47 << 10;

  /// Bytes of a warp in shared memory.
  template <class Sum>
  static constexpr std::size_t shared = sizeof(Sum) * batch<Sum>* chunk;

  /// Warps that share a chunk.
  template <class Sum>
  static int warps(std::size_t chunks, std::size_t entries) {
    if (chunks >= few_chunks) return 1;
    auto const width = (entries / chunks + chunk - 1) / chunk;
    constexpr auto most = std::min<std::size_t>(most_warps, most_shared / shared<Sum>);
    return static_cast<int>(std::min<std::size_t>(most, (width + batch<Sum> - 1) / batch<Sum>));
  }
};

/// The stored column of the entry or run j further on than place k; i: the row of the slot.
template <class Slots, class Place>
__device__ Index stored_column(Slots const& A, Index, Place k, int j) {
  if constexpr (Slots::run_length == 1) {
    return __ldcs(A.column.data() + A.at(k, j));
  } else {
    return __ldcs(A.column.data() + A.column_at(k, j));
  }
}

/// Calls take(j, term j, whether it counts) for `count` entries of a slot from place k on, in order, with all
/// loads in flight at once. Streaming loads (__ldcs) of entries leave the first cache to x.
template <int count, class Slots, class Place, class Term, class Take>
__device__ void slot_terms(Slots const& A, Index i, Place k, Term const& term, Take const& take) {
  using T = typename Slots::Value;
  constexpr int run = Slots::run_length;
  T a[count];
  Index c[count / run];
  SumOf<Term, T> next[count];
#pragma unroll
  for (int r = 0; r < count / run; ++r) c[r] = stored_column(A, i, k, r * run);
#pragma unroll
  for (int j = 0; j < count; ++j) a[j] = __ldcs(A.value.data() + A.at(k, j));
#pragma unroll
  for (int j = 0; j < count; ++j)
    next[j] = entry_term(term, i, A.at(k, j), static_cast<EntryOf<Term, T>>(a[j]), c[j / run] + j % run);
#pragma unroll
  for (int j = 0; j < count; ++j) take(j, next[j], static_cast<EntryOf<Term, T>>(a[j]) != 0);
}

/// The same for min(count, most) entries, in whole runs; `count` is equal within most warps.
template <int most, class Slots, class Place, class Term, class Take>
__device__ void slot_terms_up_to(int count, Slots const& A, Index i, Place k, Term const& term,
                                 Take const& take) {
  if constexpr (most > 0) {
    if (count >= most) return slot_terms<most>(A, i, k, term, take);
    slot_terms_up_to<most - Slots::run_length>(count, A, i, k, term, take);
  }
}

/// The sum of a slot, by one thread; i: its row, for terms that take it. batch: entries at once.
template <class Adder, int batch, class Slots, class Term>
__device__ auto slot_sum(Slots const& A, Index slot, Index i, Term const& term) {
  using Sum = SumOf<Term, typename Slots::Value>;
  constexpr int run = Slots::run_length;
  auto k = A.begin(slot);
  int left = A.length(slot);
  Adder sum{};
  auto const add = [&sum](int, Sum const& next, bool counts) { sum.add(next, counts); };
  for (; left >= batch; left -= batch, k = A.next(k, batch)) slot_terms<batch>(A, i, k, term, add);
  slot_terms_up_to<batch - run>(left, A, i, k, term, add);
  return sum.finish();
}

template <class Slots, class Term>
__device__ auto slot_sum(Slots const& A, Index slot, Index i, Term const& term) {
  using Sum = SumOf<Term, typename Slots::Value>;
  constexpr int run = Slots::run_length, batch = SlotShape::batch<Sum, run>;
  if constexpr (sums_in_pieces<Sum>) {
    constexpr int few = core::columns_of<Sum> == 1 ? batch : run;  // registers hold three sums
    if (row_in_pieces<Sum>(A.length(slot))) return slot_sum<PiecewiseSum<Sum>, few>(A, slot, i, term);
  }
  return slot_sum<PlainSum<Sum>, batch>(A, slot, i, term);
}

/// Whether slots_kernel has at most 32 registers where sums take 4 bytes, so that a multiprocessor holds 16
/// blocks.
template <class Slots>
inline constexpr bool in_few_registers = std::is_same_v<typename Slots::Value, Half>;

/// A warp's lanes are neighbouring slots, so that its loads are consecutive.
/// Tried at Laplace3D 101^3 (24.7 us): two or four rows a thread, by vector loads, 27.5.
template <class Slots, class Term, class Epilogue>
__global__ void __launch_bounds__(
    SlotShape::threads, (in_few_registers<Slots> && sizeof(SumOf<Term, typename Slots::Value>) == 4 ? 16 : 0))
    slots_kernel(Slots A, Term term, Epilogue epilogue) {
  Index const slot = blockIdx.x * SlotShape::threads + threadIdx.x;
  if (slot >= A.slots()) return;
  using T = typename Slots::Value;
  if (takes_entry<Term, T> && A.row_of(slot) < 0) return;
  auto const sum = slot_sum(A, slot, A.row_of(slot), term);
  if (Index const i = A.row_of(slot); i >= 0) core::detail::loaded(epilogue, 0)(i, sum);
}

}  // namespace detail

template <>
struct SlotWalk<Cuda> {
  template <class Slots, class Term, class Epilogue>
  static void run(Cuda const& space, Slots const& A, Term const& term, Epilogue const& epilogue) {
    using Shape = detail::SlotShape;
    auto const slots = static_cast<std::size_t>(A.slots());
    if (slots == 0) return;
    auto const blocks = static_cast<unsigned>((slots + Shape::threads - 1) / Shape::threads);
    detail::slots_kernel<<<blocks, Shape::threads, 0, space.stream>>>(A, term, epilogue);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }
  template <class Slots, class Term>
  static bool in_blocks(Slots const& A, Term const&) {
    return A.in_order();
  }
  template <class Slots, class Term>
  static __device__ auto sum(Slots const& A, Index i, Term const& term) {
    return detail::slot_sum(A, i, i, term);
  }
};

}  // namespace Tessera::sparse
