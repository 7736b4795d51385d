#pragma once
/// \file
/// Bodies for groups of threads: one body runs on a thread of the host and on the lanes of a warp.
///
///     for_each_group(space, n, work, body)          body(group, i) for 0 <= i < n. work: total steps of all
///                                                   bodies; from it CUDA chooses the lanes of a group, and
///                                                   the host whether threads share the bodies
///     for_each_group(space, n, shape, body)         the same for bodies with much work each; a group on CUDA
///     has
///                                                   shape.lanes lanes
///
/// A body distributes its steps over the lanes:
///
///     template <class Group> TESSERA_HD void operator()(Group const& group, Index i) const {
///       double largest = 0;
///       for (Offset k = offsets[i] + group.lane; k < offsets[i + 1]; k += Group::size)
///         largest = max(largest, value[k]);
///       largest = group.reduce(largest, Max{});
///       if (group.lane == 0) result[i] = largest;
///     }
///
/// These members are collective: all lanes of a group call them in the same order.
///
///     sync()                     makes earlier writes of each lane visible to all lanes
///     any(yes), count(yes)       whether `yes` holds on a lane; number of lanes with `yes`
///     count_before(yes, count)   number of lanes before this one with `yes`; sets count to count(yes)
///     count_same_before(key)     number of lanes before this one with the same key
///     broadcast(x, lane)         x of that lane
///     reduce(x, op), sum(x)      op over x of all lanes, in an unspecified order: for maxima and integers
///     inclusive_scan(x)          sum of x over the lanes up to this one
#include "core/parallel.hpp"

namespace Tessera::core {

/// The host's group: one thread.
struct SingleThread {
  static constexpr int size = 1, lane = 0;
  TESSERA_HD void sync() const {}
  TESSERA_HD bool any(bool yes) const { return yes; }
  TESSERA_HD int count(bool yes) const { return yes ? 1 : 0; }
  TESSERA_HD int count_before(bool yes, int& count) const {
    count = yes ? 1 : 0;
    return 0;
  }
  template <class Key>
  TESSERA_HD int count_same_before(Key) const {
    return 0;
  }
  template <class T>
  TESSERA_HD T broadcast(T x, int) const {
    return x;
  }
  template <class T, class Op>
  TESSERA_HD T reduce(T x, Op const&) const {
    return x;
  }
  template <class T>
  TESSERA_HD T sum(T x) const {
    return x;
  }
  template <class T>
  TESSERA_HD T inclusive_scan(T x) const {
    return x;
  }
};

/// Lanes of a group and threads of a block on CUDA, chosen by the caller.
template <int Lanes, int Threads = 256>
struct GroupShape {
  static constexpr int lanes = Lanes, threads = Threads;
};

namespace detail {

template <class Body>
struct SingleThreadBody {
  Body body;
  TESSERA_HD void operator()(Index i) const { body(SingleThread{}, i); }
};

}  // namespace detail

template <class Body>
void for_each_group(Host const&, std::size_t n, std::size_t work, Body const& body) {
  bool const serial = work < serial_steps && static_cast<std::ptrdiff_t>(n) < serial_below<Body>;
  detail::for_each_on(serial, n, detail::SingleThreadBody<Body>{body});
}

template <int Lanes, int Threads, class Body>
void for_each_group(Host const& space, std::size_t n, GroupShape<Lanes, Threads>, Body const& body) {
  constexpr std::size_t steps_of_lane = 32;
  for_each_heavy(space, n, n * Lanes * steps_of_lane, detail::SingleThreadBody<Body>{body});
}

}  // namespace Tessera::core

#if defined(TESSERA_CUDA_UNIT)
#include "core/group_cuda.cuh"
#endif
