#pragma once
/// \file
/// See interleave.hpp.
#include "core/parallel.hpp"
#include "sparse/convert.hpp"
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

template <class Space, class From, class To>
void round_numbers(Space const& space, Span<From const> source, Span<To> target) {
  convert(space, source, target);
}

}  // namespace Tessera::sparse
