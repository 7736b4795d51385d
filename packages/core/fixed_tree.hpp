#pragma once
/// \file
/// The shape of the tree that reduce() sums in; see parallel.hpp.
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

/// The blocks' results, as the body of the next reduction.
template <class T>
struct Load {
  static constexpr int loop_steps = 1;  ///< of a host's loop (parallel_host.hpp), as other bodies may say
  T const* values;
  TESSERA_HD T operator()(Index i) const { return values[i]; }
};

}  // namespace Tessera::core::fixed_tree

namespace Tessera::core {
using fixed_tree::Max;
using fixed_tree::Plus;
}  // namespace Tessera::core
