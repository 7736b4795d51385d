#pragma once
/// \file
/// For each row, the sum of a term over its entries, handed to an epilogue: products, residuals, smoother and
/// Lanczos steps, diagonals, norms, row checks and checksums are one pass over A each.
///
///     row_reduce(space, A, term, epilogue)
///
/// A: CsrView (all rows), CsrRows (the listed ones) or the view of another format (those that it stores).
/// term: a trivially copyable struct, TESSERA_HD, with one of
///
///     X operator()(Index column) const                         entry a adds a X; where term has a type
///                                                              Entry, a is rounded to that first
///     Sum operator()(Index row, Offset k, T a, Index c) const  entry a in column c, which is A.value[k]
///
/// Sum is trivially copyable and starts from Sum{}. Terms are added by += in storage order, so that all
/// formats, host and CUDA agree bitwise. A part of a PartlyOrdered may be added in any order. Numbers of long
/// rows are summed in pieces (row_terms.hpp). Padding entries are zero, and so are their terms. epilogue: a
/// struct with void operator()(Index row, Sum) const. Several threads call it for rows in any order. It
/// touches its own row only, and nothing that terms read. If it has a member loaded(), the result of that
/// replaces it, as for bodies of core/reduce_into.hpp.
///
///     row_reduce_into(space, A, term, epilogue, body, op, identity, finish, scratch)
///
/// The same for all rows of A, then core::reduce_into with body, which may read results of the epilogue in
/// row i. Where a thread takes a row, this is one launch, and body reads from cache. Allocates nothing.
///
///     row_reduce_into(space, A, term, number, op, identity, finish, scratch)
///
/// Reduces number(i, sum of row i) by op in the same tree. Allocates memory for the numbers; StoreNumber
/// stores them in the caller's memory.
#include <type_traits>
#include <utility>

#include "core/reduce_into.hpp"
#include "sparse/csr.hpp"
#include "sparse/engine/row_terms.hpp"

namespace Tessera::sparse {

/// A sum of two parts: `ordered` in storage order, `rest` in any order.
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

/// How a back end walks over Rows, the view of a format. The format's header specialises this:
///
///     run(space, A, term, epilogue)            row_reduce
///     in_blocks(A, term)                       whether blocks of core's fixed tree sum their rows
///                                              themselves; std::false_type: never
///     range(A, term, epilogue, begin, end)     on the host: all rows of a block, in no particular order
///     sum(A, i, term)                          on CUDA: row i, by one thread
///
/// A format that keeps the entries of neighbouring rows side by side inherits them from SlotWalk
/// (slot_walk.hpp). All formats have rows, those of the matrix.
template <class Space, class Rows>
struct RowWalk;

/// Epilogue that stores a number of each row, which core::fixed_tree::Load reads.
template <class Number, class T>
struct StoreNumber {
  Number number;
  T* of_row;
  template <class Sum>
  TESSERA_HD void operator()(Index i, Sum const& sum) const {
    of_row[i] = number(i, sum);
  }
};

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

/// Whether a term takes the whole entry, not its column alone.
template <class Term, class T>
inline constexpr bool takes_entry = std::is_invocable_v<Term const&, Index, Offset, T, Index>;

template <class Term, class T>
TESSERA_HD auto entry_term(Term const& term, [[maybe_unused]] Index i, [[maybe_unused]] Offset k, T a,
                           Index c) {
  if constexpr (takes_entry<Term, T>) {
    return term(i, k, a, c);
  } else {
    return a * term(c);
  }
}
template <class Term, class T>
using SumOf =
    decltype(entry_term(std::declval<Term const&>(), Index{}, Offset{}, EntryOf<Term, T>{}, Index{}));

template <class T>
CsrRows<T> rows_of(CsrView<T> const& A) {
  return all_rows(A);
}
template <class Rows>
Rows const& rows_of(Rows const& A) {
  return A;
}

template <class T>
Index row_count(CsrRows<T> const& A) {
  return A.matrix.rows;
}
template <class Rows>
Index row_count(Rows const& A) {
  return A.rows;
}

/// `before` of core/reduce_into.hpp: sums the rows of a block.
template <class Space, class Rows, class Term, class Epilogue>
struct RowsOfBlock;

template <class Rows, class Term, class Epilogue>
struct RowsOfBlock<Host, Rows, Term, Epilogue> {
  Rows A;
  Term term;
  Epilogue epilogue;
  void range(Index begin, Index end) const {
    RowWalk<Host, Rows>::range(A, term, core::detail::loaded(epilogue, 0), begin, end);
  }
};

#if defined(TESSERA_CUDA_UNIT)
template <class Rows, class Term, class Epilogue>
struct RowsOfBlock<Cuda, Rows, Term, Epilogue> {
  Rows A;
  Term term;
  Epilogue epilogue;
  __device__ void operator()(Index i) const {
    core::detail::loaded(epilogue, 0)(i, RowWalk<Cuda, Rows>::sum(A, i, term));
  }
};
#endif

}  // namespace detail
}  // namespace Tessera::sparse

#include "sparse/engine/csr_rows.hpp"

namespace Tessera::sparse {

template <class Space, class Matrix, class Term, class Epilogue>
void row_reduce(Space const& space, Matrix const& A, Term const& term, Epilogue const& epilogue) {
  auto const& rows = detail::rows_of(A);
  RowWalk<Space, std::decay_t<decltype(rows)>>::run(space, rows, term, epilogue);
}

template <class Space, class Matrix, class Term, class Epilogue, class Body, class Op, class T, class Finish>
void row_reduce_into(Space const& space, Matrix const& A, Term const& term, Epilogue const& epilogue,
                     Body const& body, Op const& op, T identity, Finish const& finish,
                     core::ReduceScratch<Space>& scratch) {
  auto const rows = detail::rows_of(A);
  using Rows = std::decay_t<decltype(rows)>;
  auto const n = static_cast<std::size_t>(detail::row_count(rows));
  auto const in_blocks = RowWalk<Space, Rows>::in_blocks(rows, term);
  if constexpr (!std::is_same_v<decltype(in_blocks), std::false_type const>) {
    if (in_blocks) {
      detail::RowsOfBlock<Space, Rows, Term, Epilogue> const block{rows, term, epilogue};
      return core::reduce_into(space, n, block, body, op, identity, finish, scratch);
    }
  }
  RowWalk<Space, Rows>::run(space, rows, term, epilogue);
  core::reduce_into(space, n, body, op, identity, finish, scratch);
}

template <class Space, class Matrix, class Term, class Number, class Op, class T, class Finish>
void row_reduce_into(Space const& space, Matrix const& A, Term const& term, Number const& number,
                     Op const& op, T identity, Finish const& finish, core::ReduceScratch<Space>& scratch) {
  Array<T, Space> of_row(space, detail::row_count(detail::rows_of(A)));
  row_reduce_into(space, A, term, StoreNumber<Number, T>{number, of_row.data()},
                  core::fixed_tree::Load<T>{of_row.data()}, op, identity, finish, scratch);
}

}  // namespace Tessera::sparse
