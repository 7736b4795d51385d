#pragma once
/// \file
/// Lists of numbers by key: transposes, members of aggregates.
///
///     counting_sort(space, n, key_of, offsets)      for each key g the ascending i with key_of(i) == g
///     counting_sort(space, n, key_of, offsets, 2)   the same if no key has more than two numbers
///
/// 0 <= i < n < 2^31; g runs from 0 to offsets.size() - 2. Elements offsets[g] to offsets[g + 1] - 1 of the
/// returned list are the i of key g. Numbers with key_of(i) == -1 are omitted; the list may be longer than
/// offsets.back(). key_of may be called twice for each i.
#include <algorithm>
#include <utility>

#include "core/parallel.hpp"

namespace Tessera::core {

/// The length of the longest list is unknown.
constexpr int unknown_max = 0;

/// Each thread counts a range of the numbers. In the list of a key, its numbers follow the numbers of earlier
/// threads.
template <class KeyOf, class T>
Array<Index, Host> counting_sort(Host const& space, std::size_t n, KeyOf const& key_of, Span<T> offsets,
                                 int /*max_per_key*/ = unknown_max) {
  auto const keys = offsets.size() - 1;
  auto const affordable = 1 + 2 * n / (keys + 1);  // at most two counters for each number
  auto const ranges =
      n < serial_below<KeyOf> ? std::size_t{1} : std::min<std::size_t>(omp_get_max_threads(), affordable);
  Array<Index, Host> next(space, ranges * keys);
  fill(space, next.span(), 0);
  auto const visit = [&](auto const& act) {
#pragma omp parallel for schedule(static, 1) if (ranges > 1)
    for (std::size_t t = 0; t < ranges; ++t) {
      auto const of = key_of;
      Index* const mine = next.data() + t * keys;
      auto const end = static_cast<Index>(n * (t + 1) / ranges);
      for (auto i = static_cast<Index>(n * t / ranges); i < end; ++i) {
        if (Index const key = of(i); key >= 0) act(mine[key], i);
      }
    }
  };
  visit([](Index& count, Index) { ++count; });
  for_each(space, keys, [&](Index g) {
    offsets[g] = 0;
    for (std::size_t t = 0; t < ranges; ++t) offsets[g] += next[t * keys + g];
  });
  auto const total = exclusive_scan(space, offsets.part(0, keys), offsets);
  for_each(space, keys, [&](Index g) {
    auto at = static_cast<Index>(offsets[g]);
    for (std::size_t t = 0; t < ranges; ++t) at += std::exchange(next[t * keys + g], at);
  });
  Array<Index, Host> list(space, total);
  visit([item = list.data()](Index& at, Index i) { item[at++] = i; });
  return list;
}

}  // namespace Tessera::core

#if defined(TESSERA_CUDA_UNIT)
#include "core/counting_sort_cuda.cuh"
#endif
