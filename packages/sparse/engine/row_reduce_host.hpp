#pragma once
/// \file
/// See row_reduce.hpp.
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/parallel.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::sparse {
namespace detail {

/// Passes with less work than this stay with one thread.
constexpr Offset serial_entries = 16384;

/// The part-th of `parts` stretches of about equal work; offsets: prefix sums of the work.
inline std::pair<Index, Index> balanced_part(Span<Offset const> offsets, int part, int parts) {
  auto const n = static_cast<Offset>(offsets.size()) - 1;
  auto const total = offsets[n];
  auto const boundary = [&](int p) {
    if (p == parts) return static_cast<Index>(n);
    auto const* const at = std::lower_bound(offsets.begin(), offsets.end() - 1, total / parts * p);
    return static_cast<Index>(at - offsets.begin());
  };
  return {part == 0 ? 0 : boundary(part), boundary(part + 1)};
}

/// work(begin, end) for each thread's stretch.
template <class Work>
void for_balanced_parts(Span<Offset const> offsets, Work const& work) {
  if (offsets.size() < 2) return;
  if (offsets[offsets.size() - 1] < serial_entries || omp_get_max_threads() == 1) {
    work(Index{0}, static_cast<Index>(offsets.size() - 1));
    return;
  }
#pragma omp parallel
  {
    auto const [begin, end] = balanced_part(offsets, omp_get_thread_num(), omp_get_num_threads());
    work(begin, end);
  }
}

/// Rows of few entries end too often for the hardware's prefetcher: asking 2 KiB ahead raised a 7-point
/// product from 13 to 21 GB/s (one thread of a Zen 4).
template <class T>
constexpr Offset entries_ahead = 2048 / sizeof(T);

/// Tried: four or eight rows at a time, no faster: instructions count here, not waiting.
/// Positions [begin, end). Arguments are copies, here and below: what an epilogue stores cannot alias them,
/// so they stay in registers.
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
    for (auto k = first + entries_ahead<T>; k < last + entries_ahead<T>; k += line) {
      __builtin_prefetch(value + k);
      __builtin_prefetch(column + k);
    }
    SumOf<Term, T> sum{};
    for (auto k = first; k < last; ++k)
      sum += entry_term(term, i, k, static_cast<Entry>(value[k]), column[k]);
    epilogue(i, sum);
  }
}

/// Bytes of a vector register.
#if defined(__AVX512F__)
constexpr int widest_register = 64;
#elif defined(__AVX__)
constexpr int widest_register = 32;
#else
constexpr int widest_register = 16;
#endif

/// Whether x lies in one array.
template <class Term>
inline constexpr bool is_one_vector = false;
template <class X>
inline constexpr bool is_one_vector<OneVector<X>> = true;

/// C sums side by side in registers. In an array they would lie in memory from one column to the next, where
/// each addition waits for the store before it: that is 5 to 10 per cent of a pass, where nothing is
/// gathered.
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

/// Chunks [begin, end) with C known to the compiler: C sums side by side, entries column by column.
template <int C, class T, class Term, class Epilogue>
void sell_chunks(SellView<T> A, Term term, Epilogue epilogue, Index begin, Index end) {
  using Sum = SumOf<Term, T>;
  T const* const values = A.value.data();
  for (Index c = begin; c < end; ++c) {
    Sum sum[C];
    for (int l = 0; l < C; ++l) sum[l] = Sum{};
    Index const* const row = A.row.data() + static_cast<std::ptrdiff_t>(c) * C;
    auto const first = row[0];
    bool const consecutive = A.ascending && row[C - 1] == first + C - 1;
    T const* value = values + A.offsets[c];
    T const* const value_end = values + A.offsets[c + 1];
    auto const add = [&](int l, Index column) {
      if (knows_entries<Term, T> && row[l] < 0) return;
      sum[l] += entry_term(term, row[l], value + l - values, static_cast<EntryOf<Term, T>>(value[l]), column);
    };
    if (!A.on_diagonals(c)) {
      Index const* column = A.column.data() + A.column_offsets[c];
      for (; value != value_end; value += C, column += C) {
        for (int l = 0; l < C; ++l) add(l, column[l]);
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

/// Any C: slot by slot.
template <class T, class Term, class Epilogue>
void sell_slots(SellView<T> A, Term term, Epilogue epilogue, Index begin, Index end) {
  for (Index slot = begin * A.chunk; slot < end * A.chunk; ++slot) {
    auto const i = A.row[slot];
    if (i < 0) continue;
    auto const c = slot / A.chunk, lane = slot % A.chunk;
    bool const diagonals = A.on_diagonals(c);
    SumOf<Term, T> sum{};
    for (auto j = A.offsets[c]; j < A.offsets[c + 1]; j += A.chunk) {
      auto const column =
          diagonals ? i + A.diagonal[j / A.chunk] : A.column[A.column_offsets[c] + (j - A.offsets[c]) + lane];
      sum += entry_term(term, i, j + lane, static_cast<EntryOf<Term, T>>(A.value[j + lane]), column);
    }
    epilogue(i, sum);
  }
}

}  // namespace detail

template <>
struct RowReduce<Host> {
  static constexpr int chunk = 32;  ///< of a Sell, that is fast

  template <class T, class Term, class Epilogue>
  static void run(Host const&, CsrRows<T> const& A, Term const& term, Epilogue const& epilogue) {
    auto const rows = [&](Index begin, Index end) {
      detail::csr_rows(A, term, core::detail::loaded(epilogue, 0), begin, end);
    };
    if (A.list == nullptr && A.count > 0)
      return detail::for_balanced_parts(A.matrix.offsets.part(0, A.count + std::size_t{1}), rows);
    if (A.count < core::serial_below) return rows(0, A.count);
#pragma omp parallel
    {
      std::int64_t const part = omp_get_thread_num(), parts = omp_get_num_threads();
      rows(static_cast<Index>(A.count * part / parts), static_cast<Index>(A.count * (part + 1) / parts));
    }
  }

  template <class T, class Term, class Epilogue>
  static void run(Host const&, SellView<T> const& A, Term const& term, Epilogue const& epilogue) {
    detail::for_balanced_parts(A.offsets, [&](Index begin, Index end) {
      auto const mine = core::detail::loaded(epilogue, 0);
      if (A.chunk == chunk) {
        detail::sell_chunks<chunk>(A, term, mine, begin, end);
      } else {
        detail::sell_slots(A, term, mine, begin, end);
      }
    });
  }

  template <class T, class Term>
  static bool in_blocks(CsrRows<T> const& A, Term const&) {
    return A.list == nullptr;
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
    void range(Index begin, Index end) const { range(A, begin, end); }

   private:
    template <class T>
    void range(CsrRows<T> const& rows, Index begin, Index end) const {
      detail::csr_rows(rows, term, core::detail::loaded(epilogue, 0), begin, end);
    }
    template <class T>
    void range(SellView<T> const& rows, Index begin, Index end) const {
      static_assert(core::fixed_tree::block % chunk == 0);
      detail::sell_chunks<chunk>(rows, term, core::detail::loaded(epilogue, 0), begin / chunk,
                                 (end + chunk - 1) / chunk);
    }
  };
};

}  // namespace Tessera::sparse
