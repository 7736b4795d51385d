#pragma once
/// \file
/// Widths of blocks that merges are compiled for.
#include <type_traits>

namespace Tessera::sparse {

/// work(integral_constant) with the width where merges are compiled for it, else 0.
template <class Work>
auto with_width(int width, Work const& work) {
  if (width == 1) return work(std::integral_constant<int, 1>{});
  if (width == 3) return work(std::integral_constant<int, 3>{});
  if (width == 6) return work(std::integral_constant<int, 6>{});
  return work(std::integral_constant<int, 0>{});
}

}  // namespace Tessera::sparse
