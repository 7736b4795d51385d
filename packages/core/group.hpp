#pragma once
/// \file
/// Bodies for groups of threads, so that one body serves a host's thread and the lanes of a warp.
///
///     for_each_group(space, n, work, body)          body(group, i) for 0 <= i < n. work: steps of all bodies
///                                                   together, from which CUDA chooses the lanes of a group,
///                                                   and a host whether threads share them
///     for_each_group(space, n, shape, body)         the same where each body is a lot of work; CUDA takes
///                                                   shape.lanes
///
/// A body shares its steps out by lanes:
///
///     template <class Group> TESSERA_HD void operator()(Group const& group, Index i) const {
///       double largest = 0;
///       for (Offset k = offsets[i] + group.lane; k < offsets[i + 1]; k += Group::size)
///         largest = max(largest, value[k]);
///       largest = group.reduce(largest, Max{});
///       if (group.lane == 0) result[i] = largest;
///     }
///
/// All lanes of a group call what is collective, in one order:
///
///     sync()                     what lanes have written is seen by the others
///     any(yes), count(yes)       whether a lane says yes, how many do
///     count_before(yes, count)   how many lanes before this one do; sets count to how many do
///     count_same_before(key)     how many lanes before this one have its key
///     broadcast(x, lane)         that lane's x
///     reduce(x, op), sum(x)      op over all lanes' x, in no promised order: for maxima and integers
///     inclusive_scan(x)          the sum over the lanes up to this one
#include "core/fixed_tree.hpp"
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

/// Lanes of a group and threads of a block on CUDA, where the caller fixes them.
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
