#pragma once
/// \file
/// Chosen rows of an array, to one buffer and back.
#include <vector>

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

/// Rows of source (width numbers each), on the host.
template <class T, class Space>
std::vector<T> gathered(Space const& space, Span<Index const> rows, Span<T const> source, int width) {
  Array<T, Space> buffer(space, rows.size() * width);
  core::for_each(space, rows.size(), GatherRowsBody<T>{rows, source, buffer.span(), width});
  return core::to_vector(space, buffer.view());
}

}  // namespace Tessera::galerkin
