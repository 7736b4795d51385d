#pragma once
/// \file
/// counting_sort on CUDA: a stable radix sort, or two passes of atomics if a key has at most two numbers.
#include "core/counting_sort.hpp"
#include "core/parallel.hpp"
#include "core/span.hpp"

namespace Tessera::core {
namespace detail {

/// Numbers without a key are sorted to the end.
template <class KeyOf>
struct KeyOfNumber {
  KeyOf key_of;
  Index last;
  Span<Index> key, number;
  TESSERA_HD void operator()(Index i) const {
    Index const k = key_of(i);
    key[i] = k < 0 ? last : k;
    number[i] = i;
  }
};

template <class T>
struct OffsetsOfSorted {
  Span<Index const> key;
  Span<T> offsets;
  TESSERA_HD void operator()(Index g) const { offsets[g] = static_cast<T>(lower_bound(key, g)); }
};

/// The largest number of each key, and the smallest number as its distance from `last`; -1: none.
template <class KeyOf>
struct EndsOfKeysBody {
  KeyOf key_of;
  Index last;
  Index *largest, *below;
  __device__ void operator()(Index i) const {
    Index const k = key_of(i);
    if (k < 0) return;
    atomicMax(largest + k, i);
    atomicMax(below + k, last - i);
  }
};

/// Length of the list of a key with at most two numbers.
template <class T>
struct CountEndsBody {
  Index last;
  Index const *largest, *below;
  T* count;
  TESSERA_HD void operator()(Index g) const {
    if (largest[g] < 0) {
      count[g] = 0;
    } else {
      count[g] = largest[g] == last - below[g] ? 1 : 2;
    }
  }
};

template <class T>
struct ListEndsBody {
  Index last;
  Index const *largest, *below;
  T const* offsets;
  Index* list;
  TESSERA_HD void operator()(Index g) const {
    if (offsets[g] == offsets[g + 1]) return;
    list[offsets[g]] = last - below[g];
    list[offsets[g + 1] - 1] = largest[g];
  }
};

/// Two numbers are the smallest and the largest, without a sort (which takes 90 us for pairs of 10^6
/// vertices).
template <class KeyOf, class T>
Array<Index, Cuda> pairs_by_key(Cuda const& space, std::size_t n, KeyOf const& key_of, Span<T> offsets) {
  auto const keys = offsets.size() - 1;
  auto const last = static_cast<Index>(n) - 1;
  Array<Index, Cuda> ends(space, 2 * keys), list(space, n);
  Index *const largest = ends.data(), *const below = largest + keys;
  fill(space, ends.span(), -1);
  for_each(space, n, EndsOfKeysBody<KeyOf>{key_of, last, largest, below});
  for_each(space, keys, CountEndsBody<T>{last, largest, below, offsets.data()});
  prefix_sums(space, offsets.part(0, keys), offsets);
  for_each(space, keys, ListEndsBody<T>{last, largest, below, offsets.data(), list.data()});
  return list;
}

}  // namespace detail

template <class KeyOf, class T>
Array<Index, Cuda> counting_sort(Cuda const& space, std::size_t n, KeyOf const& key_of, Span<T> offsets,
                                 int max_per_key = unknown_max) {
  if (max_per_key == 1 || max_per_key == 2) return detail::pairs_by_key(space, n, key_of, offsets);
  auto const keys = static_cast<Index>(offsets.size() - 1);
  Array<Index, Cuda> key(space, n), number(space, n), sorted(space, n), list(space, n);
  for_each(space, n, detail::KeyOfNumber<KeyOf>{key_of, keys, key.span(), number.span()});
  int bits = 1;
  while (keys >> bits != 0) ++bits;
  std::size_t bytes = 0;
  auto const sort = [&](void* scratch) {
    TESSERA_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(scratch, bytes, key.data(), sorted.data(),
                                                       number.data(), list.data(), static_cast<long long>(n),
                                                       0, bits, space.stream));
  };
  sort(nullptr);
  Array<unsigned char, Cuda> scratch(space, bytes);
  sort(scratch.data());
  for_each(space, offsets.size(), detail::OffsetsOfSorted<T>{sorted.view(), offsets});
  return list;
}

}  // namespace Tessera::core
