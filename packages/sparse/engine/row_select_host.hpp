#pragma once
/// \file
/// Entries that stay on the host, in one pass. See row_select.hpp.
#include <omp.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "core/parallel.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::sparse {

template <>
struct RowSelect<Host> {
  /// Entries that are decided side by side, whatever their rows: those end too often for vector lanes.
  static constexpr Offset piece = 1024;

  /// Each thread takes a stretch of rows, whose items find room where the entries would; then stretches move
  /// up to each other.
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

  /// Rows [begin, end): what is taken goes to the front of taken, offsets[i + 1] is how much up to row i.
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

}  // namespace Tessera::sparse
