#pragma once
/// \file
/// Row products on the host; see row_products.hpp.
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/parallel.hpp"
#include "sparse/csr.hpp"
#include "sparse/sell.hpp"

namespace Tessera::sparse {

template <class X>
struct OneVector;  // row_products.hpp

namespace detail {

/// Products with less work than this stay with one thread.
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

/// Positions [begin, end) of all rows (null) or of a list. Arguments are copies, here and below: what an
/// epilogue stores cannot alias them, so they stay in registers.
template <class T, class X, class Epilogue>
void csr_rows(CsrView<T> A, Index const* list, X x, Epilogue epilogue, std::ptrdiff_t begin,
              std::ptrdiff_t end) {
  using Sum = decltype(T{} * x(Index{}));
  constexpr Offset line = 64 / sizeof(T);
  Offset const* const offsets = A.offsets.data();
  T const* const value = A.value.data();
  Index const* const column = A.column.data();
  for (auto p = begin; p < end; ++p) {
    auto const i = list == nullptr ? static_cast<Index>(p) : list[p];
    auto const first = offsets[i], last = offsets[i + 1];
    for (auto k = first + entries_ahead<T>; k < last + entries_ahead<T>; k += line) {
      __builtin_prefetch(value + k);
      __builtin_prefetch(column + k);
    }
    Sum sum = 0;
    for (auto k = first; k < last; ++k) sum += value[k] * x(column[k]);
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
template <class X>
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
template <int C, class T, class X, class Epilogue>
void sell_chunks(SellView<T> A, X x, Epilogue epilogue, Index begin, Index end) {
  using Sum = decltype(T{} * x(Index{}));
  for (Index c = begin; c < end; ++c) {
    Sum sum[C];
    for (int l = 0; l < C; ++l) sum[l] = 0;
    Index const* const row = A.row.data() + static_cast<std::ptrdiff_t>(c) * C;
    auto const first = row[0];
    bool const consecutive = A.ascending && row[C - 1] == first + C - 1;
    T const* value = A.value.data() + A.offsets[c];
    T const* const value_end = A.value.data() + A.offsets[c + 1];
    if (!A.on_diagonals(c)) {
      Index const* column = A.column.data() + A.column_offsets[c];
      for (; value != value_end; value += C, column += C) {
        for (int l = 0; l < C; ++l) sum[l] += value[l] * x(column[l]);
      }
    } else {
      Index const* diagonal = A.diagonal.data() + A.offsets[c] / C;
      if constexpr (is_one_vector<X>) {
        if (consecutive) {
          Lanes<Sum, C> lanes;
          for (; value != value_end; value += C, ++diagonal) {
            auto const* const from = x.values + first + *diagonal;
            lanes.add([=](int l) { return value[l] * from[l]; });
          }
          lanes.store(sum);
        }
      }
      for (; value != value_end; value += C, ++diagonal) {
        for (int l = 0; l < C; ++l) sum[l] += value[l] * x(row[l] + *diagonal);
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

/// Any C: row by row.
template <class T, class X, class Epilogue>
void sell_slots(SellView<T> A, X x, Epilogue epilogue, Index begin, Index end) {
  using Sum = decltype(T{} * x(Index{}));
  for (Index slot = begin * A.chunk; slot < end * A.chunk; ++slot) {
    auto const i = A.row[slot];
    if (i < 0) continue;
    auto const c = slot / A.chunk, lane = slot % A.chunk;
    auto const width = static_cast<Index>((A.offsets[c + 1] - A.offsets[c]) / A.chunk);
    T const* const value = A.value.data() + A.offsets[c] + lane;
    Sum sum = 0;
    if (A.on_diagonals(c)) {
      Index const* const diagonal = A.diagonal.data() + A.offsets[c] / A.chunk;
      for (Index j = 0; j < width; ++j) sum += value[j * A.chunk] * x(i + diagonal[j]);
    } else {
      Index const* const column = A.column.data() + A.column_offsets[c] + lane;
      for (Index j = 0; j < width; ++j) sum += value[j * A.chunk] * x(column[j * A.chunk]);
    }
    epilogue(i, sum);
  }
}

}  // namespace detail

template <class T, class X, class Epilogue>
void for_each_row_product(Host const&, CsrView<T> A, X x, Epilogue epilogue) {
  detail::for_balanced_parts(
      A.offsets, [=](Index begin, Index end) { detail::csr_rows(A, nullptr, x, epilogue, begin, end); });
}

template <class T, class X, class Epilogue>
void for_each_row_product(Host const&, CsrView<T> A, Span<Index const> list, X x, Epilogue epilogue) {
  auto const n = static_cast<std::ptrdiff_t>(list.size());
  if (n < core::serial_below) return detail::csr_rows(A, list.data(), x, epilogue, 0, n);
#pragma omp parallel
  {
    std::ptrdiff_t const part = omp_get_thread_num(), parts = omp_get_num_threads();
    detail::csr_rows(A, list.data(), x, epilogue, n * part / parts, n * (part + 1) / parts);
  }
}

template <class T, class X, class Epilogue>
void for_each_row_product(Host const&, SellView<T> A, X x, Epilogue epilogue) {
  auto const run = [=](auto width) {
    constexpr int C = decltype(width)::value;
    detail::for_balanced_parts(A.offsets, [=](Index begin, Index end) {
      if constexpr (C == 0) {
        detail::sell_slots(A, x, epilogue, begin, end);
      } else {
        detail::sell_chunks<C>(A, x, epilogue, begin, end);
      }
    });
  };
  switch (A.chunk) {
    case 4:
      return run(std::integral_constant<int, 4>{});
    case 8:
      return run(std::integral_constant<int, 8>{});
    case 16:
      return run(std::integral_constant<int, 16>{});
    case 32:
      return run(std::integral_constant<int, 32>{});
    default:
      return run(std::integral_constant<int, 0>{});
  }
}

}  // namespace Tessera::sparse
