#pragma once
/// \file
/// Numbers listed by their keys: transposes, members of aggregates.
///
///     counting_sort(space, n, key_of, offsets)      for each key g the i with key_of(i) == g, ascending
///     counting_sort(space, n, key_of, offsets, 2)   the same where no key has more than two
///
/// 0 <= i < n < 2^31; g runs from 0 to offsets.size() - 2. The i of key g stand in the returned list from
/// offsets[g] up to offsets[g + 1] - 1. Those with key_of(i) == -1 are left out; there may be room behind the
/// last. key_of may be called twice for each i.
#include <algorithm>
#include <utility>

#include "core/parallel.hpp"

namespace Tessera::core {

/// How many numbers the longest list has is not known.
constexpr int unknown_most = 0;

/// Each thread counts a stretch of the numbers; in each key's list they stand behind those of threads before
/// it.
template <class KeyOf, class T>
Array<Index, Host> counting_sort(Host const& space, std::size_t n, KeyOf const& key_of, Span<T> offsets,
                                 int /*most*/ = unknown_most) {
  auto const keys = offsets.size() - 1;
  auto const affordable = 1 + 2 * n / (keys + 1);  // counters no bigger than twice the list
  auto const stretches =
      n < serial_below<KeyOf> ? std::size_t{1} : std::min<std::size_t>(omp_get_max_threads(), affordable);
  Array<Index, Host> next(space, stretches * keys);
  fill(space, next.span(), 0);
  auto const visit = [&](auto const& act) {
#pragma omp parallel for schedule(static, 1) if (stretches > 1)
    for (std::size_t t = 0; t < stretches; ++t) {
      auto const of = key_of;
      Index* const mine = next.data() + t * keys;
      auto const end = static_cast<Index>(n * (t + 1) / stretches);
      for (auto i = static_cast<Index>(n * t / stretches); i < end; ++i) {
        if (Index const key = of(i); key >= 0) act(mine[key], i);
      }
    }
  };
  visit([](Index& count, Index) { ++count; });
  for_each(space, keys, [&](Index g) {
    offsets[g] = 0;
    for (std::size_t t = 0; t < stretches; ++t) offsets[g] += next[t * keys + g];
  });
  auto const total = exclusive_scan(space, offsets.part(0, keys), offsets);
  for_each(space, keys, [&](Index g) {
    auto at = static_cast<Index>(offsets[g]);
    for (std::size_t t = 0; t < stretches; ++t) at += std::exchange(next[t * keys + g], at);
  });
  Array<Index, Host> list(space, total);
  visit([item = list.data()](Index& at, Index i) { item[at++] = i; });
  return list;
}

}  // namespace Tessera::core

#if defined(TESSERA_CUDA_UNIT)
#include "core/counting_sort_cuda.cuh"
#endif
