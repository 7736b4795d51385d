#pragma once
/// \file
/// Entries that stay on CUDA: a group of threads takes a row, once to decide and once to take, about two
/// entries a lane. See row_select.hpp.
#include "core/group.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::sparse {
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

}  // namespace Tessera::sparse
