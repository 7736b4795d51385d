#pragma once
/// \file
/// Numbers listed by their keys on CUDA, by a stable radix sort. See counting_sort.hpp.
#include "core/bisection.hpp"
#include "core/parallel.hpp"

namespace Tessera::core {
namespace detail {

/// What has no key comes behind the others.
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

}  // namespace detail

template <class KeyOf, class T>
Array<Index, Cuda> counting_sort(Cuda const& space, std::size_t n, KeyOf const& key_of, Span<T> offsets) {
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
