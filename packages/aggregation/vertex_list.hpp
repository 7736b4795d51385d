#pragma once
/// \file
/// Lists of vertices that get shorter.
#include <cstddef>
#include <utility>

#include "aggregation/vertex_list_host.hpp"
#include "core/array.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

template <class Predicate>
struct ListedBody {
  Index const* list;
  Predicate predicate;
  TESSERA_HD bool operator()(Index k) const { return predicate(list[k]); }
};

/// body(v) for the vertices of a list.
template <class Body>
struct ForListed {
  Index const* list;
  Body body;
  TESSERA_HD void operator()(Index k) const { body(list[k]); }
};

struct TakeListedBody {
  Index const *list, *chosen;
  Index* target;
  TESSERA_HD void operator()(Index k) const { target[k] = list[chosen[k]]; }
};

/// visit(k) for each place of a list; then only vertices with the predicate stay in it, in order. How many.
/// scratch and other: room for as many.
template <class Space, class Visit, class Predicate>
std::size_t visit_and_keep(Space const& space, std::size_t size, Visit const& visit,
                           Predicate const& predicate, Array<Index, Space>& list,
                           Array<Index, Space>& scratch, Array<Index, Space>& other) {
  core::for_each(space, size, visit);
  auto const kept = core::select(space, size, ListedBody<Predicate>{list.data(), predicate}, scratch.span());
  core::for_each(space, kept, TakeListedBody{list.data(), scratch.data(), other.data()});
  std::swap(list, other);
  return kept;
}

/// A list of vertices that only gets shorter.
template <class Space>
class VertexList {
 public:
  template <class Predicate>
  VertexList(Space const& space, std::size_t vertices, Predicate const& predicate)
      : list_(space, vertices), size_(core::select(space, vertices, predicate, list_.span())) {}
  /// Those of a list.
  template <class Predicate>
  VertexList(Space const& space, Span<Index const> among, Predicate const& predicate)
      : VertexList(space, among.size(), ListedBody<Predicate>{among.data(), predicate}) {
    core::for_each(space, size_, TakeListedBody{among.data(), list_.data(), list_.data()});
  }

  template <class Visit, class Predicate>
  void keep_after(Space const& space, Visit const& visit, Predicate const& predicate,
                  Array<Index, Space>& scratch, Array<Index, Space>& other) {
    size_ = visit_and_keep(space, size_, visit, predicate, list_, scratch, other);
  }
  std::size_t size() const { return size_; }
  Index const* data() const { return list_.data(); }

 private:
  Array<Index, Space> list_;
  std::size_t size_;
};

}  // namespace Tessera::aggregation
