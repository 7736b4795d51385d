#pragma once
/// \file
/// See slot_walk.hpp.
#include <algorithm>

#include "sparse/engine/row_parts_host.hpp"
#include "sparse/engine/slot_walk.hpp"

namespace Tessera::sparse {

template <>
struct SlotWalk<Host> {
  static constexpr Index block = 32;  ///< slots whose sums are side by side

  template <class Slots, class Term, class Epilogue>
  static void run(Host const&, Slots const& A, Term const& term, Epilogue const& epilogue) {
    detail::for_equal_parts(A.slots() / block, block, [&](Index begin, Index end) {
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
    for (Index first = begin * block; first < end * block; first += block) {
      Sum sum[block];
      Index row[block];
      int longest = 0;
      for (int l = 0; l < block; ++l) {
        sum[l] = Sum{};
        row[l] = A.row_of(first + l);
        longest = std::max(longest, A.length(first + l));
      }
      auto const place = A.begin(first);
      for (int j = 0; j < longest; ++j) {
        auto const k = A.at(place, j);
        T const* const value = A.value.data() + k;
        Index const* const column = A.column.data() + k;
        for (int l = 0; l < block; ++l) {
          if (detail::knows_entries<Term, T> && row[l] < 0) continue;
          sum[l] += detail::entry_term(term, row[l], k + l, static_cast<detail::EntryOf<Term, T>>(value[l]),
                                       column[l]);
        }
      }
      for (int l = 0; l < block; ++l) {
        if (row[l] >= 0) epilogue(row[l], sum[l]);
      }
    }
  }
};

}  // namespace Tessera::sparse
