#pragma once
/// \file
/// Entries of rows that stay: decided once, then taken in order.
///
///     row_select(space, rows, entries, body, offsets, taken...)
///
/// body, a trivially copyable struct that is all TESSERA_HD:
///
///     body.begin(i), body.end(i)       the entries k of row i, each in one row
///     body(i, k)                       whether entry k stays; may note what it finds at k
///     body.take(i, k, item...)         what is taken of it, one item for each array of `taken`
///
/// Entries that stay stand in offsets[i] <= p < offsets[i + 1], in their order in the row. The arrays are
/// made here. entries: all k are below. take may come before the decision, and for entries that do not stay.
#include "core/array.hpp"
#include "core/types.hpp"

namespace Tessera::sparse {

/// Elements of several arrays.
template <class... T>
struct Items;
template <>
struct Items<> {
  static Items of() { return {}; }
  template <class Work, class... Item>
  TESSERA_HD void at(Offset, Work const& work, Item&... item) const {
    work(item...);
  }
  TESSERA_HD void set(Offset, Items const&, Offset) const {}
};
template <class First, class... Rest>
struct Items<First, Rest...> {
  First* first;
  Items<Rest...> rest;
  static Items of(First* array, Rest*... more) { return {array, Items<Rest...>::of(more...)}; }
  /// work(element p of each array)
  template <class Work, class... Item>
  TESSERA_HD void at(Offset p, Work const& work, Item&... item) const {
    rest.at(p, work, item..., first[p]);
  }
  TESSERA_HD void set(Offset p, Items const& from, Offset q) const {
    first[p] = from.first[q];
    rest.set(p, from.rest, q);
  }
};

template <class Space>
struct RowSelect;

template <class Space, class Body, class... T>
void row_select(Space const& space, Index rows, std::size_t entries, Body const& body,
                Array<Offset, Space>& offsets, Array<T, Space>&... taken) {
  RowSelect<Space>::run(space, rows, entries, body, offsets, taken...);
}

}  // namespace Tessera::sparse

#include "sparse/engine/row_select_host.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "sparse/engine/row_select_cuda.cuh"
#endif
