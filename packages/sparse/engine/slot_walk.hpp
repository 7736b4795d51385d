#pragma once
/// \file
/// Rows of formats that interleave the entries of neighbouring rows, a row in each slot. In addition to value
/// and column, their view has:
///
///     Value                             type of an entry
///     slots()                           number of slots, a multiple of 32
///     row_of(slot)                      negative: none
///     length(slot)                      entries of the slot that are summed
///     begin(slot), next(place, j)       place of a slot's first entry; place j entries further on
///     at(place, j)                      index in value and column of the entry j further on
///     run_length                        consecutive columns that share a stored one: 1, but for CUDA
///     column_at(place, j)               index of the stored column, for views with a larger run_length
///     width(slot)                       entries of each of 32 slots that are interleaved
///     in_order()                        whether slot s is row s, for all rows
///
/// In 32 slots from a multiple of 32 on, entries j are adjacent for all j below the largest length and the
/// width, which the 32 slots share. Shorter slots have zeros there. Further entries of a slot lie anywhere.
///
///     template <class Space, class T>
///     struct RowWalk<Space, XView<T>> : SlotWalk<Space> {};
#include <algorithm>

#include "core/interleaved.hpp"
#include "sparse/engine/row_blocks_host.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::sparse {

template <class Space>
struct SlotWalk;

template <>
struct SlotWalk<Host> {
  static constexpr Index block = 32;  ///< slots whose sums run at the same time

  template <class Slots, class Term, class Epilogue>
  static void run(Host const&, Slots const& A, Term const& term, Epilogue const& epilogue) {
    detail::for_equal_parts(A.slots() / block, A.value.size(), [&](Index begin, Index end) {
      blocks(A, term, core::detail::loaded(epilogue, 0), begin, end);
    });
  }
  template <class Slots, class Term>
  static bool in_blocks(Slots const& A, Term const&) {
    return A.in_order();
  }
  template <class Slots, class Term, class Epilogue>
  static void range(Slots const& A, Term const& term, Epilogue const& epilogue, Index begin, Index end) {
    static_assert(core::fixed_tree::block % block == 0);
    blocks(A, term, epilogue, begin / block, (end + block - 1) / block);
  }

 private:
  /// Arguments are copies, so that they stay in registers.
  template <class Slots, class Term, class Epilogue>
  static void blocks(Slots A, Term term, Epilogue epilogue, Index begin, Index end) {
    using T = typename Slots::Value;
    using Sum = detail::SumOf<Term, T>;
    if constexpr (core::columns_of < Sum >> 1) return one_by_one(A, term, epilogue, begin, end);
    for (Index first = begin * block; first < end * block; first += block) {
      Sum sum[block];
      Index row[block];
      int longest = 0;
      for (int l = 0; l < block; ++l) {
        sum[l] = Sum{};
        row[l] = A.row_of(first + l);
        longest = std::max(longest, A.length(first + l));
      }
      if (detail::row_in_pieces<Sum>(longest)) {
        one_by_one(A, term, epilogue, first / block, first / block + 1);
        continue;
      }
      auto const place = A.begin(first);
      int const common = std::min(longest, static_cast<int>(A.width(first)));
      for (int j = 0; j < common; ++j) {
        auto const k = A.at(place, j);
        T const* const value = A.value.data() + k;
        Index const* const column = A.column.data() + k;
        for (int l = 0; l < block; ++l) {
          if (detail::takes_entry<Term, T> && row[l] < 0) continue;
          sum[l] += detail::entry_term(term, row[l], k + l, static_cast<detail::EntryOf<Term, T>>(value[l]),
                                       column[l]);
        }
      }
      for (int l = 0; l < block && common < longest; ++l) {
        for (int j = common; j < A.length(first + l); ++j) {
          auto const k = A.at(A.begin(first + l), j);
          sum[l] += detail::entry_term(term, row[l], k, static_cast<detail::EntryOf<Term, T>>(A.value[k]),
                                       A.column[k]);
        }
      }
      for (int l = 0; l < block; ++l) {
        if (row[l] >= 0) epilogue(row[l], sum[l]);
      }
    }
  }

  /// The same slot by slot, for long rows and for sums as wide as registers.
  template <class Slots, class Term, class Epilogue>
  static void one_by_one(Slots A, Term term, Epilogue epilogue, Index begin, Index end) {
    using T = typename Slots::Value;
    for (Index slot = begin * block; slot < end * block; ++slot) {
      Index const i = A.row_of(slot);
      if (i < 0) continue;
      auto const place = A.begin(slot);
      int const length = A.length(slot);
      epilogue(i, detail::row_sum<detail::SumOf<Term, T>>(length, [&](auto const& add) {
                 for (int j = 0; j < length; ++j) {
                   auto const k = A.at(place, j);
                   auto const a = static_cast<detail::EntryOf<Term, T>>(A.value[k]);
                   add(detail::entry_term(term, i, k, a, A.column[k]), a != 0);
                 }
               }));
    }
  }
};

}  // namespace Tessera::sparse

#if defined(TESSERA_CUDA_UNIT)
#include "sparse/engine/slot_walk_cuda.cuh"
#endif
