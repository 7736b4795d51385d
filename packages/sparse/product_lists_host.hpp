#pragma once
/// \file
/// Lists of products.
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

}  // namespace lists
}  // namespace Tessera::sparse::hash
