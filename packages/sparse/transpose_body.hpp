#pragma once
/// \file
/// How transposes are made.
#include <limits>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/transpose_pattern.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::sparse {

template <class T>
struct TakeBySourceBody {
  Index const* source;
  T const* from;
  T* to;
  TESSERA_HD void operator()(Index k) const { to[k] = from[source[k]]; }
};

template <class T, class Space>
Transposed<T, Space> transpose(Space const& space, CsrView<T> A) {
  auto const nonzeros = A.column.size();
  TESSERA_VALIDATE(nonzeros <= static_cast<std::size_t>(std::numeric_limits<Index>::max()), nonzeros,
                   " entries on one rank to be transposed (local indices have 32 bits); use more ranks");
  Transposed<T, Space> At{
      {A.columns, A.rows, Array<Offset, Space>(space, static_cast<std::size_t>(A.columns) + 1),
       Array<Index, Space>(space, nonzeros), Array<T, Space>(space, nonzeros)},
      Array<Index, Space>(space, nonzeros)};
  transpose_pattern(space, A, At);
  refresh_transpose(space, A, At);
  return At;
}

template <class T, class Space>
void refresh_transpose(Space const& space, CsrView<T> A, Transposed<T, Space>& At) {
  if (At.matrix.value.empty()) At.matrix.value = Array<T, Space>(space, At.source.size());
  core::for_each(space, At.source.size(),
                 TakeBySourceBody<T>{At.source.data(), A.value.data(), At.matrix.value.data()});
}

}  // namespace Tessera::sparse
