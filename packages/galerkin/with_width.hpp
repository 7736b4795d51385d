#pragma once
/// \file
/// Numbers of near-nullspace vectors that bodies are compiled for.
#include <type_traits>

namespace Tessera::galerkin {

/// work(integral_constant) with the width where a body is compiled for it, else 0.
template <class Work>
void with_width(int width, Work const& work) {
  if (width == 1) {
    work(std::integral_constant<int, 1>{});
  } else if (width == 3) {
    work(std::integral_constant<int, 3>{});
  } else if (width == 6) {
    work(std::integral_constant<int, 6>{});
  } else {
    work(std::integral_constant<int, 0>{});
  }
}

}  // namespace Tessera::galerkin
