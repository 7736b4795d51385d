#pragma once
/// \file
/// Reductions with a result on the space, for which nothing waits.
///
///     reduce_into(space, n, body, op, identity, finish, scratch)
///     reduce_into(space, n, before, body, op, identity, finish, scratch)
///     reduce_columns_into(space, n, body, finish, scratch)
///
/// reduce_into computes op over body(i) for 0 <= i < n in the fixed tree of parallel.hpp, hence the same
/// number as reduce(). Then finish(total) runs once on the space, in its order: it stores the result, or does
/// scalar arithmetic with it. Nothing is allocated, and nothing synchronised; one launch on CUDA.
///
/// A body with a member `loaded() const` is replaced by the result of loaded(), which each thread calls once
/// at its start: so scalars in the memory of the space are read once, and not for every element.
///
/// A body with members fetch(i) and operator()(i, fetched) separates its reads. CUDA then issues the reads of
/// all elements of a thread together. The body must not write data that other elements read.
///
/// `before` is work that body requires in its block of the tree: before(i) on CUDA, before.range(begin, end)
/// on the host. For any element of a block, body may read the data that `before` wrote for the same block.
///
/// reduce_columns_into computes a sum for each column of a block of vectors. body(i) returns the terms of row
/// i in all columns as a SumPack: the host takes whole rows, because its registers hold several numbers.
/// body.column(c)(i) returns the term of row i in column c, a number or a struct of numbers: a GPU takes four
/// columns at a time, which are 32 bytes of a row. Body::k: number of columns, on a GPU a multiple of four.
/// Then it calls finish(sums), or finish.column(c)(sum of column c) for each column. The tree is that of
/// reduce_into, so that the sum of a column is bitwise the sum of a vector. scratch: for values with the
/// bytes of all sums.
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "core/array.hpp"
#include "core/interleaved.hpp"
#include "core/parallel.hpp"
#include "core/types.hpp"

namespace Tessera::core {

/// Memory for the results of blocks: for up to n elements, and results of up to value_bytes.
template <class Space>
class ReduceScratch {
 public:
  ReduceScratch() = default;
  ReduceScratch(Space const& space, std::size_t n, std::size_t value_bytes);

  bool fits(std::size_t n, std::size_t value_bytes) const { return words(n, value_bytes) <= words_.size(); }
  std::size_t bytes() const { return words_.bytes(); }
  template <class T>
  T* partial() {
    static_assert(alignof(T) <= sizeof(double));
    return reinterpret_cast<T*>(words_.data() + 1);
  }
  /// Number of blocks of the running launch that are complete; zero between launches.
  unsigned* arrived() { return reinterpret_cast<unsigned*>(words_.data()); }

 private:
  /// One word for arrived(), followed by the results of all levels of the tree.
  static std::size_t words(std::size_t n, std::size_t value_bytes) {
    std::size_t values = 0;
    do {
      n = (n + fixed_tree::block - 1) / fixed_tree::block;
      values += n;
    } while (n > 1);
    return 1 + (values + 1) * ((value_bytes + sizeof(double) - 1) / sizeof(double));
  }
  Array<double, Space> words_;
};

/// A finish that stores the result.
template <class T>
struct StoreResult {
  T* result;
  TESSERA_HD void operator()(T const& total) const { *result = total; }
};

/// A `before` without work.
struct NothingBefore {
  TESSERA_HD void operator()(Index) const {}
  void range(Index, Index) const {}
};

namespace detail {

template <class Body>
TESSERA_HD auto loaded(Body const& body, int) -> decltype(body.loaded()) {
  return body.loaded();
}
template <class Body>
TESSERA_HD Body loaded(Body const& body, long) {
  return body;
}

/// Reduces all blocks of one level of the tree, and returns their number.
template <class Before, class Body, class Op, class T>
std::size_t reduce_level(std::size_t n, Before const& before, Body const& body, Op const& op, T identity,
                         T* results) {
  auto const blocks = std::max<std::size_t>(1, (n + fixed_tree::block - 1) / fixed_tree::block);
  auto const count = static_cast<std::ptrdiff_t>(blocks);
  // Otherwise `before` has about the steps of a row's product.
  constexpr bool only_body = std::is_same_v<Before, NothingBefore>;
  auto const least = only_body ? serial_below<Body> : serial_steps / 8;
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

#if defined(TESSERA_CUDA_UNIT)
#include "core/reduce_into_cuda.cuh"
#endif

namespace Tessera::core {

template <class Space>
ReduceScratch<Space>::ReduceScratch(Space const& space, std::size_t n, std::size_t value_bytes)
    : words_(space, words(n, value_bytes)) {
  fill(space, words_.span().part(0, 1), 0.0);
}

template <class Space, class Body, class Op, class T, class Finish>
void reduce_into(Space const& space, std::size_t n, Body const& body, Op const& op, T identity,
                 Finish const& finish, ReduceScratch<Space>& scratch) {
  reduce_into(space, n, NothingBefore{}, body, op, identity, finish, scratch);
}

template <class Body, class Finish>
void reduce_columns_into(Host const& space, std::size_t n, Body const& body, Finish const& finish,
                         ReduceScratch<Host>& scratch) {
  using Sum = decltype(body(Index{}));
  reduce_into(space, n, body, Plus{}, Sum{}, finish, scratch);
}

}  // namespace Tessera::core
