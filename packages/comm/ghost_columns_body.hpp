#pragma once
/// \file
/// Ghost columns of a list of global columns, and their local indices.
#include <vector>

#include "comm/distribution.hpp"
#include "core/array.hpp"
#include "core/parallel.hpp"
#include "core/span.hpp"

namespace Tessera::comm {

/// The concatenation of two lists.
struct ConcatenatedLists {
  Span<GlobalIndex const> some, more;
  std::size_t size() const { return some.size() + more.size(); }
  TESSERA_HD GlobalIndex operator[](Index e) const {
    auto const k = static_cast<std::size_t>(e);
    return k < some.size() ? some[k] : more[k - some.size()];
  }
};

struct GhostPredicate {
  ConcatenatedLists column;
  GlobalIndex begin, end;
  TESSERA_HD bool operator()(Index e) const {
    GlobalIndex const c = column[e];
    return c >= 0 && (c < begin || c >= end);
  }
};

struct GatherColumnsBody {
  Span<Index const> chosen;
  ConcatenatedLists column;
  Span<GlobalIndex> key;
  TESSERA_HD void operator()(Index i) const { key[i] = column[chosen[i]]; }
};

/// Local indices of global columns: owned columns by their offset, ghosts by bisection.
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
Array<T, Space> gathered(Space const& space, Span<Index const> order, Span<T const> from) {
  Array<T, Space> result(space, order.size());
  core::gather(space, order, from.data(), result.data());
  return result;
}

/// The columns of one or two lists that other ranks own, ascending and distinct. Negative entries are
/// ignored.
template <class Space>
std::vector<GlobalIndex> ghost_columns(Space const& space, Distribution const& columns,
                                       Span<GlobalIndex const> some, Span<GlobalIndex const> more = {}) {
  ConcatenatedLists const all{some, more};
  Array<Index, Space> chosen(space, all.size());
  chosen.shorten(
      core::select(space, all.size(), GhostPredicate{all, columns.begin(), columns.end()}, chosen.span()));
  Array<GlobalIndex, Space> key(space, chosen.size());
  core::for_each(space, chosen.size(), GatherColumnsBody{chosen.view(), all, key.span()});
  core::sort_by_key(space, key, chosen, columns.global_size());
  Array<Index, Space> first(space, key.size());
  first.shorten(core::select(space, key.size(), core::FirstOfEqual<GlobalIndex>{key.data()}, first.span()));
  return core::to_vector(space, gathered(space, first.view(), Span<GlobalIndex const>(key.view())).view());
}

}  // namespace Tessera::comm
