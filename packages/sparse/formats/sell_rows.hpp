#pragma once
/// \file
/// row_reduce for the rows of a Sell.
#include <cstring>
#include <type_traits>

#include "core/interleaved.hpp"
#include "sparse/engine/slot_walk.hpp"
#include "sparse/formats/sell.hpp"

namespace Tessera::sparse {
namespace detail {

/// Bytes of a vector register.
#if defined(__AVX512F__)
constexpr int widest_register = 64;
#elif defined(__AVX__)
constexpr int widest_register = 32;
#else
constexpr int widest_register = 16;
#endif

/// Whether x lies in one array of numbers.
template <class Term>
inline constexpr bool is_one_vector = false;
template <class X>
inline constexpr bool is_one_vector<OneVector<X>> = std::is_arithmetic_v<X>;

/// C sums in registers. In an array they would be stored after each column, and each addition would wait for
/// the store before it: 5 to 10 per cent of a pass without gathers.
template <class T, int C>
struct Lanes {
  static constexpr int bytes = C * sizeof(T) < widest_register ? C * sizeof(T) : widest_register;
  static constexpr int width = bytes / sizeof(T), count = C / width;
  using Register __attribute__((vector_size(bytes))) = T;
  Register part[count];

  Lanes() {
    for (int p = 0; p < count; ++p) part[p] = Register{};
  }
  /// Adds term(l) to lane l.
  template <class Term>
  void add(Term const& term) {
    for (int p = 0; p < count; ++p) {
      T terms[width];
      for (int l = 0; l < width; ++l) terms[l] = term(p * width + l);
      Register next;
      std::memcpy(&next, terms, sizeof next);
      part[p] += next;
    }
  }
  void store(T* lanes) const { std::memcpy(lanes, part, sizeof part); }
};

/// Slot by slot, for any C and rows of any length.
template <class T, class Term, class Epilogue>
void sell_slots(SellView<T> A, Term term, Epilogue epilogue, Index begin, Index end) {
  for (Index slot = begin * A.chunk; slot < end * A.chunk; ++slot) {
    auto const i = A.row[slot];
    if (i < 0) continue;
    auto const c = slot / A.chunk, lane = slot % A.chunk;
    auto const place = A.offsets[c] + lane;
    auto const length = (A.offsets[c + 1] - A.offsets[c]) / A.chunk;
    epilogue(i, row_sum<SumOf<Term, T>>(length, [&](auto const& add) {
               auto const take = [&](Offset j, Index column) {
                 auto const k = place + j * A.chunk;
                 auto const a = static_cast<EntryOf<Term, T>>(A.value[k]);
                 add(entry_term(term, i, k, a, column), a != 0);
               };
               if (A.on_diagonals(c)) {
                 Index const* const diagonal = A.diagonal.data() + A.offsets[c] / A.chunk;
                 for (Offset j = 0; j < length; ++j) take(j, i + diagonal[j]);
               } else {
                 Index const* column = A.column.data() + A.columns_begin(c) + lane;
                 for (Offset j = 0; j < length; j += A.run, column += A.chunk) {
                   for (int q = 0; q < A.run; ++q) take(j + q, *column + q);
                 }
               }
             }));
  }
}

/// Chunks [begin, end) with C known to the compiler: C sums at a time, entries column by column.
template <int C, class T, class Term, class Epilogue>
void sell_chunks(SellView<T> A, Term term, Epilogue epilogue, Index begin, Index end) {
  using Sum = SumOf<Term, T>;
  T const* const values = A.value.data();
  for (Index c = begin; c < end; ++c) {
    if (row_in_pieces<Sum>((A.offsets[c + 1] - A.offsets[c]) / C)) {
      sell_slots(A, term, epilogue, c, c + 1);
      continue;
    }
    Sum sum[C];
    for (int l = 0; l < C; ++l) sum[l] = Sum{};
    Index const* const row = A.row.data() + static_cast<std::ptrdiff_t>(c) * C;
    auto const first = row[0];
    bool const consecutive = A.ascending && row[C - 1] == first + C - 1;
    T const* value = values + A.offsets[c];
    T const* const value_end = values + A.offsets[c + 1];
    auto const add = [&](int l, Index column) {
      if (takes_entry<Term, T> && row[l] < 0) return;
      sum[l] += entry_term(term, row[l], value + l - values, static_cast<EntryOf<Term, T>>(value[l]), column);
    };
    if (!A.on_diagonals(c)) {
      Index const* column = A.column.data() + A.columns_begin(c);
      for (; A.run == 1 && value != value_end; value += C, column += C) {
        for (int l = 0; l < C; ++l) add(l, column[l]);  // + q, a vector, took 3 to 11 % of a solve
      }
      for (; value != value_end; column += C) {
        for (int q = 0; q < A.run; ++q, value += C) {
          for (int l = 0; l < C; ++l) add(l, column[l] + q);
        }
      }
    } else {
      Index const* diagonal = A.diagonal.data() + A.offsets[c] / C;
      if constexpr (is_one_vector<Term>) {
        if (consecutive) {
          Lanes<Sum, C> lanes;
          for (; value != value_end; value += C, ++diagonal) {
            auto const* const from = term.values + first + *diagonal;
            lanes.add([=](int l) { return value[l] * from[l]; });
          }
          lanes.store(sum);
        }
      }
      for (; value != value_end; value += C, ++diagonal) {
        for (int l = 0; l < C; ++l) add(l, row[l] + *diagonal);
      }
    }
    if (consecutive) {
      for (int l = 0; l < C; ++l) epilogue(first + l, sum[l]);
    } else {
      for (int l = 0; l < C; ++l) {
        if (row[l] >= 0) epilogue(row[l], sum[l]);
      }
    }
  }
}

/// The same for terms that are rows of blocks. Such sums are as wide as registers, so only the sums of few
/// slots run at a time.
template <int C, class T, class Term, class Epilogue>
void sell_blocks(SellView<T> A, Term term, Epilogue epilogue, Index begin, Index end) {
  constexpr int slots_at_once = 4;
  static_assert(C % slots_at_once == 0);
  for (Index slot = begin * C; slot < end * C; slot += slots_at_once) {
    auto const c = slot / C, lane = slot % C;
    Index const* const row = A.row.data() + slot;
    T const* value = A.value.data() + A.offsets[c] + lane;
    auto const length = static_cast<int>((A.offsets[c + 1] - A.offsets[c]) / C);
    if (row_in_pieces<SumOf<Term, T>>(length)) {
      sell_slots(A, term, epilogue, c, c + 1);
      slot += C - slots_at_once;
      continue;
    }
    SumOf<Term, T> sum[slots_at_once];
    for (auto& each : sum) each = {};
    if (A.on_diagonals(c)) {
      Index const* const diagonal = A.diagonal.data() + A.offsets[c] / C;
      for (int j = 0; j < length; ++j, value += C) {
        for (int l = 0; l < slots_at_once; ++l) sum[l] += value[l] * term(row[l] + diagonal[j]);
      }
    } else {
      Index const* column = A.column.data() + A.columns_begin(c) + lane;
      for (int j = 0; j < length; j += A.run, column += C) {
        for (int q = 0; q < A.run; ++q, value += C) {
          for (int l = 0; l < slots_at_once; ++l) sum[l] += value[l] * term(column[l] + q);
        }
      }
    }
    for (int l = 0; l < slots_at_once; ++l) {
      if (row[l] >= 0) epilogue(row[l], sum[l]);
    }
  }
}

}  // namespace detail

template <class T>
struct RowWalk<Host, SellView<T>> {
  static constexpr int chunk = 32;  ///< the chunk size with a fast path

  template <class Term, class Epilogue>
  static void run(Host const&, SellView<T> const& A, Term const& term, Epilogue const& epilogue) {
    detail::for_balanced_parts(A.offsets, [&](Index begin, Index end) {
      auto const mine = core::detail::loaded(epilogue, 0);
      if (A.chunk == chunk) return chunks(A, term, mine, begin, end);
      detail::sell_slots(A, term, mine, begin, end);
    });
  }
  template <class Term>
  static bool in_blocks(SellView<T> const& A, Term const&) {
    return A.in_order() && A.chunk == chunk;
  }
  template <class Term, class Epilogue>
  static void range(SellView<T> const& A, Term const& term, Epilogue const& epilogue, Index begin,
                    Index end) {
    static_assert(core::fixed_tree::block % chunk == 0);
    chunks(A, term, epilogue, begin / chunk, (end + chunk - 1) / chunk);
  }

 private:
  template <class Term, class Epilogue>
  static void chunks(SellView<T> const& A, Term const& term, Epilogue const& epilogue, Index begin,
                     Index end) {
    if constexpr (core::columns_of < detail::SumOf < Term, T >>> 1) {
      detail::sell_blocks<chunk>(A, term, epilogue, begin, end);
    } else {
      detail::sell_chunks<chunk>(A, term, epilogue, begin, end);
    }
  }
};

#if defined(TESSERA_CUDA_UNIT)
namespace detail {

/// Slots of a chunk on diagonals, which are read once for a warp.
template <class T>
struct DiagonalSlots : SellSlots<T, SlotShape::chunk> {};

template <class T>
__device__ Index stored_column(DiagonalSlots<T> const& A, Index i, Offset k, int j) {
  return i + __ldg(A.diagonal.data() + k / SlotShape::chunk + j);
}

/// Slots of a matrix in which some chunks lie on diagonals. In a trial residuals at Laplace3D 256^3 and 101^3
/// took 207 and 12.5 us instead of 268 and 17.6, with more than 32 registers 246 and 14.1.
template <class T>
struct MixedSlots : SellSlots<T, SlotShape::chunk> {};
template <class T>
inline constexpr bool in_few_registers<MixedSlots<T>> = true;

template <class T, class Term>
__device__ auto slot_sum(MixedSlots<T> const& A, Index slot, Index i, Term const& term) {
  using Slots = SellSlots<T, SlotShape::chunk>;
  Index const c = slot / SlotShape::chunk;
  if (A.on_diagonals(c)) return slot_sum(DiagonalSlots<T>{A}, slot, i, term);
  Slots stored = A;
  stored.column = {A.column.data() + (A.column_offsets[c] - A.offsets[c]), 0};
  return slot_sum(stored, slot, i, term);
}

/// Two neighbouring slots a thread, since loads of one Half ask for 64 bytes a warp. In a trial kernel
/// a residual at Laplace3D 256^3 took 146 us instead of 200.
template <class Term, class Epilogue>
__global__ void __launch_bounds__(SlotShape::threads)
    pairs_kernel(MixedSlots<Half> A, Term term, Epilogue epilogue) {
  using Sum = SumOf<Term, Half>;
  using Entry = EntryOf<Term, Half>;
  constexpr int chunk = SlotShape::chunk, batch = SlotShape::batch<Sum>;
  Index const slot = 2 * (blockIdx.x * SlotShape::threads + threadIdx.x);
  if (slot >= A.slots()) return;
  auto const store = core::detail::loaded(epilogue, 0);
  Index const row[] = {A.row_of(slot), A.row_of(slot + 1)};
  if (!A.on_diagonals(slot / chunk) || row_in_pieces<Sum>(A.length(slot))) {
    for (int r = 0; r < 2; ++r) {
      if (row[r] >= 0) store(row[r], slot_sum(A, slot + r, row[r], term));
    }
    return;
  }
  auto const first = A.begin(slot);
  auto const* const diagonal = A.diagonal.data() + first / chunk;
  auto const* const entries = reinterpret_cast<unsigned const*>(A.value.data() + first);
  int const width = A.length(slot);
  Sum sum[2] = {};
  for (int begin = 0; begin < width; begin += batch) {
    unsigned pair[batch];
    Sum next[batch][2];
#pragma unroll
    for (int j = 0; j < batch; ++j)
      pair[j] = begin + j < width ? __ldcs(entries + (begin + j) * (chunk / 2)) : 0;
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      Index const d = begin + j < width ? __ldg(diagonal + begin + j) : 0;
      for (int r = 0; r < 2; ++r) {
        Half a;
        a.bits = static_cast<std::uint16_t>(pair[j] >> 16 * r);
        next[j][r] =
            entry_term(term, row[r], first + r + (begin + j) * chunk, static_cast<Entry>(a), row[r] + d);
      }
    }
#pragma unroll
    for (int j = 0; j < batch; ++j) {
      for (int r = 0; r < 2; ++r) sum[r] += next[j][r];
    }
  }
  for (int r = 0; r < 2; ++r) store(row[r], sum[r]);
}

/// Each warp of a block takes a batch of a chunk's entries; the first warp adds the terms in order. Adder:
/// PlainSum or PiecewiseSum.
template <class Adder, class T, class Term>
__device__ auto shared_chunk_sum(SellSlots<T, SlotShape::chunk> const& A, Index slot, Term const& term) {
  using Sum = SumOf<Term, T>;
  constexpr int chunk = SlotShape::chunk, batch = SlotShape::batch<Sum>;
  static_assert(batch <= 8);
  extern __shared__ __align__(16) unsigned char storage[];
  auto* const shared = reinterpret_cast<Sum(*)[chunk]>(storage);  // a round's terms
  __shared__ unsigned char counts[SlotShape::most_warps][chunk];  // a bit for each
  int const lane = threadIdx.x % chunk, warp = threadIdx.x / chunk;
  int const round = static_cast<int>(blockDim.x) / chunk * batch;
  bool const known = !takes_entry<Term, T> || A.row_of(slot) >= 0;
  auto k = A.begin(slot) + warp * batch * chunk;
  Adder sum{};
  for (int left = A.length(slot); left > 0; left -= round, k += round * chunk) {
    unsigned mine = 0;
    slot_terms_up_to<batch>(known ? left - warp * batch : 0, A, A.row_of(slot), k, term,
                            [&](int j, Sum const& next, bool counted) {
                              shared[warp * batch + j][lane] = next;
                              if (Adder::counts) mine |= (counted ? 1u : 0u) << j;
                            });
    if (Adder::counts) counts[warp][lane] = static_cast<unsigned char>(mine);
    __syncthreads();
    if (warp == 0) {
      int const count = min(left, round);
#pragma unroll 8
      for (int j = 0; j < count; ++j)
        sum.add(shared[j][lane], Adder::counts && (counts[j / batch][lane] >> j % batch & 1) != 0);
    }
    __syncthreads();
  }
  return sum.finish();
}

template <class T, class Term, class Epilogue>
__global__ void __launch_bounds__(SlotShape::chunk* SlotShape::most_warps)
    shared_chunk_kernel(SellSlots<T, SlotShape::chunk> A, Term term, Epilogue epilogue) {
  using Sum = SumOf<Term, T>;
  constexpr int chunk = SlotShape::chunk;
  auto const slot = static_cast<Index>(blockIdx.x) * chunk + static_cast<Index>(threadIdx.x % chunk);
  auto const store = [&](Sum const& sum) {
    Index const i = A.row_of(slot);
    if (threadIdx.x < chunk && i >= 0) core::detail::loaded(epilogue, 0)(i, sum);
  };
  if constexpr (sums_in_pieces<Sum>) {
    if (row_in_pieces<Sum>(A.length(slot))) return store(shared_chunk_sum<PiecewiseSum<Sum>>(A, slot, term));
  }
  store(shared_chunk_sum<PlainSum<Sum>>(A, slot, term));
}

}  // namespace detail

template <class T>
struct RowWalk<Cuda, SellView<T>> {
  static constexpr int chunk = detail::SlotShape::chunk;

  template <class Term, class Epilogue>
  static void run(Cuda const& space, SellView<T> const& A, Term const& term, Epilogue const& epilogue) {
    using Shape = detail::SlotShape;
    using Sum = detail::SumOf<Term, T>;
    SellSlots<T, chunk> const slots{A};
    if (A.chunk != chunk) return SlotWalk<Cuda>::run(space, SellSlots<T, 0>{A}, term, epilogue);
    if (A.run > 1) return SlotWalk<Cuda>::run(space, SellRunSlots<T, chunk>{{A}}, term, epilogue);
    if (!A.column_offsets.empty()) return mixed(space, detail::MixedSlots<T>{{A}}, term, epilogue);
    auto const chunks = static_cast<std::size_t>(slots.slots() / chunk);
    auto const warps = chunks == 0 ? 1 : Shape::warps<Sum>(chunks, A.value.size());
    if (warps <= 1) return SlotWalk<Cuda>::run(space, slots, term, epilogue);
    auto const bytes = Shape::shared<Sum> * warps;
    detail::shared_chunk_kernel<<<static_cast<unsigned>(chunks), warps * chunk, bytes, space.stream>>>(
        slots, term, epilogue);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }
  template <class Term, class Epilogue>
  static void mixed(Cuda const& space, detail::MixedSlots<T> const& A, Term const& term,
                    Epilogue const& epilogue) {
    if constexpr (std::is_same_v<T, Half> && sizeof(detail::SumOf<Term, T>) == sizeof(float)) {
      auto const pairs = static_cast<unsigned>(A.slots() / 2);
      constexpr unsigned threads = detail::SlotShape::threads;
      detail::pairs_kernel<<<(pairs + threads - 1) / threads, threads, 0, space.stream>>>(A, term, epilogue);
      TESSERA_CUDA_CHECK(cudaGetLastError());
    } else {
      SlotWalk<Cuda>::run(space, A, term, epilogue);
    }
  }
  template <class Term>
  static bool in_blocks(SellView<T> const& A, Term const&) {
    return A.in_order() && A.chunk == chunk && A.run == 1;
  }
  template <class Term>
  static __device__ auto sum(SellView<T> const& A, Index i, Term const& term) {
    if (A.column_offsets.empty()) return detail::slot_sum(SellSlots<T, chunk>{A}, i, i, term);
    return detail::slot_sum(detail::MixedSlots<T>{{A}}, i, i, term);
  }
};
#endif

}  // namespace Tessera::sparse
