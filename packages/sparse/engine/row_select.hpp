#pragma once
/// \file
/// Selects entries of rows: decides for each entry once, then takes the selected ones in order.
///
///     row_select(space, rows, entries, body, offsets, taken...)
///
/// body, a trivially copyable struct that is all TESSERA_HD:
///
///     body.begin(i), body.end(i)       the entries k of row i, each in one row
///     body(i, k)                       whether entry k stays; may store a result at k
///     body.take(i, k, item...)         sets one item for each array of `taken`
///
/// Selected entries of row i have the positions offsets[i] <= p < offsets[i + 1], in their order in the row.
/// The arrays are allocated here. entries: a bound above all k. take may be called before the decision, and
/// for entries that do not stay.
#include <omp.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "core/array.hpp"
#include "core/group.hpp"
#include "core/parallel.hpp"
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

template <>
struct RowSelect<Host> {
  /// Entries that are decided at once, across rows, because rows are too short for vector lanes.
  static constexpr Offset piece = 1024;

  /// Each thread takes a range of rows and stores its items at the offset of the range's entries; then the
  /// ranges are moved together.
  template <class Body, class... T>
  static void run(Host const& space, Index rows, std::size_t entries, Body const& body,
                  Array<Offset, Host>& offsets, Array<T, Host>&... taken) {
    auto const stretches = rows < core::serial_below<Body> ? 1 : omp_get_max_threads();
    auto const row_at = [&](int t) { return static_cast<Index>(std::int64_t{rows} * t / stretches); };
    offsets = Array<Offset, Host>(space, static_cast<std::size_t>(rows) + 1);
    ((taken = Array<T, Host>(space, entries)), ...);
    std::vector<Offset> room(stretches + 1, 0), count(stretches);
    for (int t = 1; t < stretches; ++t)
      room[t] = room[t - 1] + entries_of(space, body, row_at(t - 1), row_at(t));
#pragma omp parallel for schedule(static, 1) if (stretches > 1)
    for (int t = 0; t < stretches; ++t)
      count[t] = select_rows<T...>(body, row_at(t), row_at(t + 1), offsets.data(),
                                   Items<T...>::of((taken.data() + room[t])...));
    Offset before = 0;
    offsets[0] = 0;
    for (int t = 0; t < stretches; ++t) {
      if (before < room[t]) (std::copy_n(taken.data() + room[t], count[t], taken.data() + before), ...);
      if (before > 0) {
        for (auto i = row_at(t); i < row_at(t + 1); ++i) offsets[i + 1] += before;
      }
      before += count[t];
    }
    (taken.shorten(before), ...);
  }

 private:
  template <class Body>
  static Offset entries_of(Host const& space, Body const& body, Index begin, Index end) {
    return core::sum(space, end - begin,
                     [=](Index i) { return body.end(begin + i) - body.begin(begin + i); });
  }

  /// Rows [begin, end): items go to the front of taken, and offsets[i + 1] is their number up to row i.
  template <class... T, class Body>
  static Offset select_rows(Body const body, Index begin, Index end, Offset* __restrict offsets,
                            Items<T...> const taken) {
    if (begin == end) return 0;
    Index row[piece];
    unsigned char stays[piece];
    std::tuple<std::array<T, piece>...> buffers;
    auto const items = std::apply([](auto&... buffer) { return Items<T...>::of(buffer.data()...); }, buffers);
    Offset count = 0;
    auto i = begin;
    auto k = body.begin(i);
    while (i < end) {
      auto const first = k;
      auto last = k;
      auto next = i;  // rows before this one end in the piece
      bool full = false;
      do {
        auto const stop = std::min(body.end(next), first + piece);
        for (; last < stop; ++last) row[last - first] = next;
        full = stop < body.end(next);
      } while (!full && ++next < end && body.begin(next) == last);
#pragma omp simd
      for (Offset t = 0; t < last - first; ++t) {
        items.at(t, [&](T&... item) { body.take(row[t], first + t, item...); });
        stays[t] = body(row[t], first + t) ? 1 : 0;
      }
      // Without branches: which entries stay is hard to predict.
      auto const take_until = [&](Offset stop) {
        for (; k < stop; ++k) {
          taken.set(count, items, k - first);
          count += stays[k - first];
        }
      };
      for (; i < next; ++i) {
        take_until(body.end(i));
        offsets[i + 1] = count;
      }
      take_until(last);
      if (!full && i < end) k = body.begin(i);
    }
    return count;
  }
};

#if defined(TESSERA_CUDA_UNIT)
namespace detail {

template <class Body>
struct DecideRowBody {
  Body body;
  unsigned char* stays;
  Offset* counts;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    auto const end = body.end(i);
    Index count = 0;
    for (auto k = body.begin(i) + group.lane; k < end; k += 2 * Group::size) {
      auto const next = k + Group::size;
      bool const yes = body(i, k), next_too = next < end && body(i, next);
      stays[k] = yes ? 1 : 0;
      if (next < end) stays[next] = next_too ? 1 : 0;
      count += (yes ? 1 : 0) + (next_too ? 1 : 0);
    }
    count = group.sum(count);
    if (group.lane == 0) counts[i] = count;
  }
};

template <class Body, class... T>
struct TakeRowBody {
  Body body;
  unsigned char const* stays;
  Offset const* offsets;
  Items<T...> taken;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    auto const end = body.end(i);
    auto place = offsets[i];
    for (auto first = body.begin(i); first < end; first += 2 * Group::size) {
      auto const k = first + group.lane, next = k + Group::size;
      bool const yes = k < end && stays[k] != 0, next_too = next < end && stays[next] != 0;
      int count = 0, more = 0;
      auto const before = place + group.count_before(yes, count);
      auto const after = place + count + group.count_before(next_too, more);
      if (yes) taken.at(before, [&](T&... item) { body.take(i, k, item...); });
      if (next_too) taken.at(after, [&](T&... item) { body.take(i, next, item...); });
      place += count + more;
    }
  }
};

}  // namespace detail

template <>
struct RowSelect<Cuda> {
  template <class Body, class... T>
  static void run(Cuda const& space, Index rows, std::size_t entries, Body const& body,
                  Array<Offset, Cuda>& offsets, Array<T, Cuda>&... taken) {
    auto const n = static_cast<std::size_t>(rows);
    offsets = Array<Offset, Cuda>(space, n + 1);
    Array<unsigned char, Cuda> stays(space, entries);
    auto const steps = entries / 2;
    core::for_each_group(space, n, steps, detail::DecideRowBody<Body>{body, stays.data(), offsets.data()});
    auto const total = core::exclusive_scan(space, offsets.span().part(0, n), offsets.span());
    ((taken = Array<T, Cuda>(space, total)), ...);
    core::for_each_group(space, n, steps,
                         detail::TakeRowBody<Body, T...>{body, stays.data(), offsets.data(),
                                                         Items<T...>::of(taken.data()...)});
  }
};
#endif

}  // namespace Tessera::sparse
