#pragma once
/// \file
/// Columns of other ranks: which of them a list of global columns names, and what they are called here.
#include <cstdint>
#include <vector>

#include "core/array.hpp"
#include "core/bisection.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

struct NumberBody {
  Span<Index> number;
  TESSERA_HD void operator()(Index i) const { number[i] = i; }
};

template <class Key, class T>
struct TakeKeysBody {
  Span<Index const> order;
  Span<T const> from;
  Span<Key> key;
  TESSERA_HD void operator()(Index i) const { key[i] = static_cast<Key>(from[order[i]]); }
};

struct FirstOfColumnPredicate {
  Span<std::uint64_t const> column;
  TESSERA_HD bool operator()(Index e) const { return e == 0 || column[e] != column[e - 1]; }
};

struct ForeignPredicate {
  Span<GlobalIndex const> column;
  GlobalIndex begin, end;
  TESSERA_HD bool operator()(Index e) const {
    return column[e] >= 0 && (column[e] < begin || column[e] >= end);
  }
};

/// Local columns of global ones: owned, or by bisection among the ghosts.
struct LocateColumns {
  Span<GlobalIndex const> global;
  GlobalIndex begin;
  Index owned;
  Span<GlobalIndex const> ghosts;
  Span<Index> column;
  TESSERA_HD void operator()(Index k) const {
    GlobalIndex const c = global[k];
    if (begin <= c && c < begin + owned) {
      column[k] = static_cast<Index>(c - begin);
      return;
    }
    column[k] = owned + static_cast<Index>(core::lower_bound(ghosts, c));
  }
};

template <class T, class Space>
Array<T, Space> taken(Space const& space, Span<Index const> order, Span<T const> from) {
  Array<T, Space> result(space, order.size());
  core::for_each(space, order.size(), TakeKeysBody<T, T>{order, from, result.span()});
  return result;
}

/// The columns outside [begin, end), which this rank owns: ascending, distinct. Negative ones are none.
template <class Space>
std::vector<GlobalIndex> foreign_columns(Space const& space, GlobalIndex begin, GlobalIndex end,
                                         Span<GlobalIndex const> column) {
  Array<Index, Space> chosen(space, column.size());
  auto const count = core::select(space, column.size(), ForeignPredicate{column, begin, end}, chosen.span());
  auto const order = chosen.span().part(0, count);
  Array<std::uint64_t, Space> key(space, count);
  core::for_each(space, count, TakeKeysBody<std::uint64_t, GlobalIndex>{order, column, key.span()});
  core::sort_by_key(space, key.span(), order);
  Array<Index, Space> first(space, count);
  auto const distinct = core::select(space, count, FirstOfColumnPredicate{key.view()}, first.span());
  auto const sorted = taken(space, Span<Index const>(order), column);
  return core::to_vector(space, taken(space, first.view().part(0, distinct), sorted.view()).view());
}

}  // namespace Tessera::comm
