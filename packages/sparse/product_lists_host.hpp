#pragma once
/// \file
/// Lists of products, and their sums by column.
#include "core/types.hpp"

namespace Tessera::sparse::hash {

/// Loops over memory that does not overlap, in functions of their own so that compilers see it.
namespace lists {

constexpr Index block = 8;

/// Rows are too short for the library's copy; what is too much is written over.
template <class Element>
void copy(Element const* __restrict from, Index count, Element* __restrict to) {
  for (Index s = 0; s < count; s += block) {
    for (Index l = 0; l < block; ++l) to[s + l] = from[s + l];
  }
}

/// Adds listed products to sums of `count` columns, and returns how many columns there are then. Without
/// branches: nobody foresees whether a column is new.
template <bool multiplied, class T, class Numbers>
Index merge(Index listed, Index const* __restrict list, T const* __restrict value, T const* __restrict factor,
            Numbers numbers, Index count, Index* __restrict column, T* __restrict sum) {
  for (Index s = count; s < count + listed; s += block) {
    for (Index l = 0; l < block; ++l) sum[s + l] = 0;
  }
  for (Index p = 0; p < listed; ++p) {
    auto const c = list[p];
    auto const place = numbers.place(c, count);
    sum[place] += multiplied ? value[p] : factor[p] * value[p];
    column[count] = c;
    count += place == count ? 1 : 0;
  }
  return count;
}

}  // namespace lists
}  // namespace Tessera::sparse::hash
