#pragma once
/// \file
/// Reductions whose result stays on the space, so that nothing waits for them.
///
///     reduce_into(space, n, body, op, identity, finish, scratch)
///     reduce_into(space, n, before, body, op, identity, finish, scratch)
///
/// op over body(i) for 0 <= i < n in the fixed tree of parallel.hpp, hence the same number as reduce() gives.
/// Then finish(total) runs once on the space, in its order: it stores the result, or does the scalar
/// arithmetic that depends on it. Nothing is allocated, nothing synchronised; one launch on CUDA.
///
/// A body with a member `loaded() const` is replaced by what that returns, which is called by every thread
/// when it starts: scalars that lie in the space's memory are read once, not with every element.
///
/// A body that writes what others of its kind do not read may say what it reads: with members fetch(i) and
/// operator()(i, fetched), CUDA has the reads of all of a thread's elements under way together.
///
/// before is work that body needs done for its block of the tree: before(i) on CUDA, before.range(begin, end)
/// on the host. What it wrote for any element of the block, body may read for any other; no more.
#include <cstddef>

#include "core/array.hpp"
#include "core/fixed_tree.hpp"
#include "core/types.hpp"

namespace Tessera::core {

/// Where blocks leave their results: for up to n elements and results of up to value_bytes.
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
  /// Blocks that are done, in the launch under way; zero between launches.
  unsigned* arrived() { return reinterpret_cast<unsigned*>(words_.data()); }

 private:
  /// Results of all levels of the tree, and one word in front for arrived.
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

/// finish that keeps the result.
template <class T>
struct StoreResult {
  T* result;
  TESSERA_HD void operator()(T const& total) const { *result = total; }
};

/// No work before the body.
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

}  // namespace detail
}  // namespace Tessera::core

#include "core/reduce_into_host.hpp"
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

}  // namespace Tessera::core
