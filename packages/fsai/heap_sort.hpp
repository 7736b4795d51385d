#pragma once
/// \file
/// Ascending order in place, without recursion or extra memory.
#include "core/types.hpp"

namespace Tessera::fsai {

TESSERA_HD inline void sift_down(Index* heap, Index root, Index size) {
  auto const moved = heap[root];
  for (Index child; (child = 2 * root + 1) < size; root = child) {
    if (child + 1 < size && heap[child] < heap[child + 1]) ++child;
    if (heap[child] <= moved) break;
    heap[root] = heap[child];
  }
  heap[root] = moved;
}

TESSERA_HD inline void heap_sort(Index* column, Index size) {
  for (Index root = size / 2; root-- > 0;) sift_down(column, root, size);
  for (Index last = size - 1; last > 0; --last) {
    auto const largest = column[0];
    column[0] = column[last];
    column[last] = largest;
    sift_down(column, 0, last);
  }
}

}  // namespace Tessera::fsai
