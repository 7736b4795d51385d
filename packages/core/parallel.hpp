#pragma once
/// \file
/// The parallel primitives, and their implementation on the host. Bodies are trivially copyable structs of
/// views, marked TESSERA_HD; a test may call one in a for loop. group.hpp has primitives for groups of
/// threads.
///
///     for_each(space, n, body)                      body(i) for 0 <= i < n
///     fill(space, target, value)
///     reduce(space, n, body, op, identity)          op over body(i), in a fixed tree
///     sum(space, n, body)                           the same with +
///     exclusive_scan(space, counts, offsets)        offsets[0] = 0 ... offsets[n] = total; returns the total
///     prefix_sums(space, counts, offsets)           the same for a known total; returns nothing
///     select(space, n, predicate, chosen)           the ascending i with predicate(i); returns their number
///     sort_by_key(space, keys, values[, largest])   stable, ascending; arrays. Keys are integers, and from 0
///                                                   to largest if that is given
///
/// A primitive that returns a number has synchronised the space. On CUDA, for_each, fill and prefix_sums only
/// enqueue work.
///
/// The order of the sums of reduce depends on n alone, not on threads or the back end. Element i belongs to
/// block i / 2048, and there to lane i mod 256. A lane adds its up to 8 elements in order. The 256 lanes are
/// folded in halves. The results of blocks are reduced in the same way. So a floating-point sum is bitwise
/// equal on the host and on the GPU.
#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/array.hpp"
#include "core/error.hpp"
#include "core/sort_host.hpp"
#include "core/space.hpp"
#include "core/span.hpp"
#include "core/types.hpp"

namespace Tessera::core::fixed_tree {

constexpr int lanes = 256;
constexpr int per_lane = 8;
constexpr int block = lanes * per_lane;

struct Plus {
  template <class T>
  TESSERA_HD T operator()(T const& a, T const& b) const {
    return a + b;
  }
};

struct Max {
  template <class T>
  TESSERA_HD T operator()(T const& a, T const& b) const {
    return a < b ? b : a;
  }
};

/// values[i], for reductions, selections and sorts.
template <class T, class Result = T>
struct Load {
  static constexpr int loop_steps = 1;  ///< see steps_of
  T const* values;
  TESSERA_HD Result operator()(Index i) const { return static_cast<Result>(values[i]); }
};

}  // namespace Tessera::core::fixed_tree

namespace Tessera::core {
using fixed_tree::Load;
using fixed_tree::Max;
using fixed_tree::Plus;

/// The better of two, by a.beats(b).
struct Better {
  template <class T>
  TESSERA_HD T operator()(T const& a, T const& b) const {
    return b.beats(a) ? b : a;
  }
};

/// Selects the first of equal keys in an ascending list.
template <class Key>
struct FirstOfEqual {
  Key const* key;
  TESSERA_HD bool operator()(Index e) const { return e == 0 || key[e] != key[e - 1]; }
};
}  // namespace Tessera::core

namespace Tessera::core {

/// Loops of fewer steps run on one thread. A step takes one or two nanoseconds (an entry of a row, a number
/// of a vector). To wake other threads takes microseconds, and milliseconds if other processes use the cores.
constexpr std::ptrdiff_t serial_steps = 32768;

/// Steps of body(i): its member `static constexpr int loop_steps`, or 8.
template <class Body, class = void>
constexpr std::ptrdiff_t steps_of = 8;
template <class Body>
constexpr std::ptrdiff_t steps_of<Body, std::void_t<decltype(Body::loop_steps)>> = Body::loop_steps;

/// Loops over fewer elements run on one thread.
template <class Body>
constexpr std::ptrdiff_t serial_below = serial_steps / steps_of<Body>;

namespace detail {

template <class Body>
void for_each_on(bool one_thread, std::size_t n, Body const& body) {
  TESSERA_EXPECT(n < std::size_t{1} << 31);
  auto const count = static_cast<Index>(n);  // loops with a wider counter would not vectorise
#pragma omp parallel if (!one_thread)
  {
    auto const mine = body;  // stores cannot alias the views of a local copy, which stay in registers
#pragma omp for schedule(static)
    for (Index i = 0; i < count; ++i) mine(i);
  }
}

}  // namespace detail

template <class Body>
void for_each(Host const&, std::size_t n, Body const& body) {
  detail::for_each_on(static_cast<std::ptrdiff_t>(n) < serial_below<Body>, n, body);
}

/// For bodies with much work each (a dense factorization, an aggregate, a block of rows). steps: total of all
/// bodies.
template <class Body>
void for_each_heavy(Host const&, std::size_t n, std::size_t steps, Body const& body) {
  constexpr std::ptrdiff_t largest_share = 16, shares_of_thread = 4;
  auto const count = static_cast<std::ptrdiff_t>(n);
  auto const share =
      std::clamp<std::ptrdiff_t>(count / (shares_of_thread * omp_get_max_threads()), 1, largest_share);
#pragma omp parallel for schedule(dynamic, share) if (count > 1 && steps >= serial_steps)
  for (std::ptrdiff_t i = 0; i < count; ++i) body(static_cast<Index>(i));
}

namespace detail {

template <class T>
struct FillBody {
  static constexpr int loop_steps = 1;
  Span<T> target;
  T value;
  TESSERA_HD void operator()(Index i) const { target[i] = value; }
};

}  // namespace detail

template <class T>
void fill(Host const& space, Span<T> target, std::common_type_t<T> value) {
  for_each(space, target.size(), detail::FillBody<T>{target, value});
}

namespace detail {

/// One block of the fixed tree.
template <class Body, class Op, class T>
T reduce_block(std::size_t begin, std::size_t end, Body const body, Op const op, T identity) {
  T lane[fixed_tree::lanes];
  for (auto& value : lane) value = identity;
  auto row = static_cast<Index>(begin);
  auto const last = static_cast<Index>(end);
  for (; last - row >= fixed_tree::lanes; row += fixed_tree::lanes) {
    for (Index l = 0; l < fixed_tree::lanes; ++l) lane[l] = op(lane[l], body(row + l));
  }
  for (Index l = 0; l < last - row; ++l) lane[l] = op(lane[l], body(row + l));
  for (int half = fixed_tree::lanes / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) lane[l] = op(lane[l], lane[l + half]);
  }
  return lane[0];
}

}  // namespace detail

template <class Body, class Op, class T>
T reduce(Host const& space, std::size_t n, Body const& body, Op const& op, T identity) {
  if (n <= fixed_tree::block) return detail::reduce_block(0, n, body, op, identity);
  auto const blocks = (n + fixed_tree::block - 1) / fixed_tree::block;
  std::vector<T> partial(blocks);
  auto const count = static_cast<std::ptrdiff_t>(blocks);
  bool const serial = static_cast<std::ptrdiff_t>(n) < serial_below<Body>;
#pragma omp parallel for schedule(static) if (!serial)
  for (std::ptrdiff_t b = 0; b < count; ++b) {
    auto const begin = static_cast<std::size_t>(b) * fixed_tree::block;
    partial[b] = detail::reduce_block(begin, std::min(n, begin + fixed_tree::block), body, op, identity);
  }
  return reduce(space, blocks, fixed_tree::Load<T>{partial.data()}, op, identity);
}

template <class Body>
auto sum(Host const& space, std::size_t n, Body const& body) {
  using T = std::decay_t<decltype(body(Index{}))>;
  return reduce(space, n, body, Plus{}, T{});
}

/// offsets has counts.size() + 1 elements; counts may be the front part of offsets.
template <class Count, class T>
T exclusive_scan(Host const&, Span<Count> counts, Span<T> offsets) {
  auto const n = counts.size();
  auto const threads = static_cast<std::size_t>(omp_get_max_threads());
  if (threads == 1 || n < serial_steps) {
    T running = 0;
    for (std::size_t i = 0; i < n; ++i) {
      T const count = static_cast<T>(counts[i]);
      offsets[i] = running;
      running += count;
    }
    offsets[n] = running;
    return running;
  }
  std::vector<T> start(threads + 1, 0);
  auto const chunk = (n + threads - 1) / threads;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t t = 0; t < threads; ++t) {
    T total = 0;
    for (auto i = t * chunk; i < std::min(n, (t + 1) * chunk); ++i) total += static_cast<T>(counts[i]);
    start[t + 1] = total;
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
#pragma omp parallel for schedule(static, 1)
  for (std::size_t t = 0; t < threads; ++t) {
    T running = start[t];
    for (auto i = t * chunk; i < std::min(n, (t + 1) * chunk); ++i) {
      T const count = static_cast<T>(counts[i]);
      offsets[i] = running;
      running += count;
    }
  }
  offsets[n] = start[threads];
  return start[threads];
}

template <class Count, class T>
void prefix_sums(Host const& space, Span<Count> counts, Span<T> offsets) {
  exclusive_scan(space, counts, offsets);
}

namespace detail {

/// Writes the i in [begin, end) with predicate(i) to target, and returns their number. Collects bits first,
/// without a branch, which the processor would mispredict.
template <class Predicate>
std::size_t select_range(std::size_t begin, std::size_t end, Predicate const predicate, Index* target) {
  constexpr std::size_t word = 64;
  std::size_t count = 0;
  for (auto from = begin; from < end; from += word) {
    auto const here = static_cast<unsigned>(std::min(word, end - from));
    std::uint64_t bits = 0;
    for (unsigned l = 0; l < here; ++l)
      bits |= std::uint64_t{predicate(static_cast<Index>(from + l)) ? 1U : 0U} << l;
    for (; bits != 0; bits &= bits - 1) target[count++] = static_cast<Index>(from) + __builtin_ctzll(bits);
  }
  return count;
}

}  // namespace detail

/// chosen has room for n elements, or for the elements that are selected.
template <class Predicate>
std::size_t select(Host const&, std::size_t n, Predicate const& predicate, Span<Index> chosen) {
  auto const threads = static_cast<std::size_t>(omp_get_max_threads());
  if (threads == 1 || n < serial_steps) return detail::select_range(0, n, predicate, chosen.data());
  std::vector<std::size_t> start(threads + 1, 0);
  auto const chunk = (n + threads - 1) / threads;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t t = 0; t < threads; ++t) {
    std::size_t count = 0;
    for (auto i = t * chunk; i < std::min(n, (t + 1) * chunk); ++i)
      count += predicate(static_cast<Index>(i)) ? 1 : 0;
    start[t + 1] = count;
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
#pragma omp parallel for schedule(static, 1)
  for (std::size_t t = 0; t < threads; ++t) {
    detail::select_range(std::min(n, t * chunk), std::min(n, (t + 1) * chunk), predicate,
                         chosen.data() + start[t]);
  }
  return start[threads];
}

namespace detail {

template <class T>
struct GatherBody {
  Index const* index;
  T const* source;
  T* target;
  TESSERA_HD void operator()(Index i) const { target[i] = source[index[i]]; }
};

template <class T>
struct GatherRowsBody {
  Index const* row;
  T const* source;
  T* target;
  int width;
  TESSERA_HD void operator()(Index i) const {
    auto const from = static_cast<Offset>(row[i]) * width, to = static_cast<Offset>(i) * width;
    for (int c = 0; c < width; ++c) target[to + c] = source[from + c];
  }
};

template <class T>
struct SequenceBody {
  T first, step;
  T* number;
  TESSERA_HD void operator()(Index i) const { number[i] = first + step * i; }
};

}  // namespace detail

/// target[i] = source[index[i]]
template <class Space, class T>
void gather(Space const& space, Span<Index const> index, T const* source, T* target) {
  for_each(space, index.size(), detail::GatherBody<T>{index.data(), source, target});
}

/// The same for rows of `width` numbers.
template <class Space, class T>
void gather_rows(Space const& space, Span<Index const> row, T const* source, T* target, int width) {
  for_each(space, row.size(), detail::GatherRowsBody<T>{row.data(), source, target, width});
}

/// The numbers first, first + step, ...
template <class Space, class T>
void fill_sequence(Space const& space, Span<T> target, T first = 0, T step = 1) {
  for_each(space, target.size(), detail::SequenceBody<T>{first, step, target.data()});
}

}  // namespace Tessera::core

#if defined(TESSERA_CUDA_UNIT)
#include "core/parallel_cuda.cuh"
#endif
