#pragma once
/// \file
/// Chosen rows of an array, to one buffer and back.
#include "core/parallel.hpp"

namespace Tessera::galerkin {

template <class T>
struct GatherRowsBody {
  Span<Index const> row;
  Span<T const> source;
  Span<T> target;
  int width;
  TESSERA_HD void operator()(Index i) const {
    auto const from = static_cast<Offset>(row[i]) * width;
    for (int c = 0; c < width; ++c) target[static_cast<Offset>(i) * width + c] = source[from + c];
  }
};

struct ScatterRowsBody {
  Span<Index const> row;
  Span<double const> source;
  Span<double> target;
  int width;
  TESSERA_HD void operator()(Index i) const {
    auto const to = static_cast<Offset>(row[i]) * width;
    for (int c = 0; c < width; ++c) target[to + c] = source[static_cast<Offset>(i) * width + c];
  }
};

}  // namespace Tessera::galerkin
