#pragma once
/// \file
/// Arrays of numbers from one type to another.
#include <algorithm>

#include "core/array.hpp"
#include "core/parallel.hpp"

namespace Tessera::sparse {

template <class From, class To>
struct ConvertBody {
  static constexpr int loop_steps = 1;
  From const* source;
  To* target;
  TESSERA_HD void operator()(Index i) const { target[i] = static_cast<To>(source[i]); }
};

/// target[i] = source[i], rounded to nearest. Any length, also beyond 2^31.
template <class Space, class From, class To>
void convert(Space const& space, Span<From> source, Span<To> target) {
  constexpr std::size_t longest = std::size_t{1} << 30;
  for (std::size_t begin = 0; begin < source.size(); begin += longest) {
    auto const n = std::min(longest, source.size() - begin);
    core::for_each(space, n,
                   ConvertBody<std::remove_const_t<From>, To>{source.data() + begin, target.data() + begin});
  }
}

}  // namespace Tessera::sparse
