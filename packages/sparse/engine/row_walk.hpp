#pragma once
/// \file
/// What row_reduce.hpp needs of a format, and what an entry adds to a row's sum.
#include <type_traits>
#include <utility>

#include "core/reduce_into.hpp"
#include "core/types.hpp"

namespace Tessera::sparse {

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

/// How a back end goes over Rows, the view of a format, whose header specialises this:
///
///     run(space, A, term, epilogue)            row_reduce
///     in_blocks(A, term)                       whether rows of a block of core's fixed tree are summed where
///                                              they are joined; std::false_type where they never are
///     range(A, term, epilogue, begin, end)     on the host: all rows of a block, in no particular order
///     sum(A, i, term)                          on CUDA: row i, by one thread
///
/// A format that keeps the entries of neighbouring rows side by side inherits them from SlotWalk
/// (slot_walk.hpp). All formats have rows, those of the matrix.
template <class Space, class Rows>
struct RowWalk;

namespace detail {

template <class Term, class T, class = void>
struct EntryType {
  using type = T;
};
template <class Term, class T>
struct EntryType<Term, T, std::void_t<typename Term::Entry>> {
  using type = typename Term::Entry;
};
template <class Term, class T>
using EntryOf = typename EntryType<Term, T>::type;

/// Whether a term is told more than the column.
template <class Term, class T>
inline constexpr bool knows_entries = std::is_invocable_v<Term const&, Index, Offset, T, Index>;

template <class Term, class T>
TESSERA_HD auto entry_term(Term const& term, [[maybe_unused]] Index i, [[maybe_unused]] Offset k, T a,
                           Index c) {
  if constexpr (knows_entries<Term, T>) {
    return term(i, k, a, c);
  } else {
    return a * term(c);
  }
}
template <class Term, class T>
using SumOf =
    decltype(entry_term(std::declval<Term const&>(), Index{}, Offset{}, EntryOf<Term, T>{}, Index{}));

}  // namespace detail
}  // namespace Tessera::sparse
