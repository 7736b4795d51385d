#pragma once
/// \file
/// See interleave.hpp.
#include "core/parallel.hpp"
#include "sparse/interleave.hpp"

namespace Tessera::sparse {

template <class X, class Space>
void for_rows(Space const& space, std::size_t rows, InterleaveBody<double, X> const& body) {
  core::for_each(space, rows, body);
}
template <class X, class Space>
void for_rows(Space const& space, std::size_t rows, SeparateBody<X, double> const& body) {
  core::for_each(space, rows, body);
}

}  // namespace Tessera::sparse
