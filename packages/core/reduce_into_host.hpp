#pragma once
/// \file
/// See reduce_into.hpp.
#include <algorithm>
#include <type_traits>

#include "core/parallel_host.hpp"
#include "core/reduce_into.hpp"

namespace Tessera::core {

template <class Space>
class ReduceScratch;

namespace detail {

/// All blocks of one level of the tree; how many.
template <class Before, class Body, class Op, class T>
std::size_t reduce_level(std::size_t n, Before const& before, Body const& body, Op const& op, T identity,
                         T* results) {
  auto const blocks = std::max<std::size_t>(1, (n + fixed_tree::block - 1) / fixed_tree::block);
  auto const count = static_cast<std::ptrdiff_t>(blocks);
  constexpr bool joins_alone =
      std::is_same_v<Before, NothingBefore>;  // before is a row's product or the like
  auto const least = joins_alone ? serial_below<Body> : serial_steps / 8;
  bool const serial = static_cast<std::ptrdiff_t>(n) < least;
#pragma omp parallel for schedule(static) if (!serial)
  for (std::ptrdiff_t b = 0; b < count; ++b) {
    auto const begin = static_cast<std::size_t>(b) * fixed_tree::block;
    auto const end = std::min(n, begin + fixed_tree::block);
    before.range(static_cast<Index>(begin), static_cast<Index>(end));
    results[b] = reduce_block(begin, end, loaded(body, 0), op, identity);
  }
  return blocks;
}

}  // namespace detail

template <class Before, class Body, class Op, class T, class Finish>
void reduce_into(Host const&, std::size_t n, Before const& before, Body const& body, Op const& op, T identity,
                 Finish const& finish, ReduceScratch<Host>& scratch) {
  TESSERA_EXPECT(scratch.fits(n, sizeof(T)));
  T* results = scratch.template partial<T>();
  auto count = detail::reduce_level(n, before, body, op, identity, results);
  while (count > 1) {
    fixed_tree::Load<T> const load{results};
    results += count;
    count = detail::reduce_level(count, NothingBefore{}, load, op, identity, results);
  }
  finish(*results);
}

}  // namespace Tessera::core
