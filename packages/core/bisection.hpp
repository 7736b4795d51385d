#pragma once
/// \file
/// Search in ascending numbers, by bodies.
#include <cstddef>

#include "core/span.hpp"
#include "core/types.hpp"

namespace Tessera::core {

/// How many of the ascending numbers are below `value`: where the first is that is not.
template <class T>
TESSERA_HD std::size_t lower_bound(Span<T const> ascending, T value) {
  std::size_t begin = 0, end = ascending.size();
  while (begin < end) {
    auto const middle = begin + (end - begin) / 2;
    if (ascending[middle] < value) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace Tessera::core
