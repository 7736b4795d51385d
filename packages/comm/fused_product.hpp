#pragma once
/// \file
/// Products with a DistMatrix, fused with operations on the result.
#include <type_traits>

#include "comm/dist_matrix.hpp"
#include "comm/global_reduction.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::comm {

/// Calls epilogue(i, (A x)_i) for every owned row i, in any order; the epilogue must not change x. x: owned
/// entries of a vector, or of a block (Interleaved<T, k>) of at most as many columns as reserve_columns()
/// had. transform: sparse::InMagnitude for (|A| |x|)_i. Collective among neighbours; allocates nothing. See
/// sparse/engine/row_reduce.hpp.
template <class T, class Space, class X, class Epilogue, class Transform = sparse::WithSigns>
void multiply_fused(Space const& space, DistMatrix<T, Space> const& A, Span<X const> x,
                    Epilogue const& epilogue, Transform const& transform = {}) {
  static_assert(std::is_same_v<core::NumberOf<X>, T>);
  auto const& halo = A.halo();
  auto const ghosts = A.template ghosts_of<X>();
  halo.begin_exchange(space, core::numbers(x), core::numbers(ghosts), core::RowTraits<X>::columns);
  halo.end_exchange(space, [&] {
    A.stored().visit_first([&](auto const& rows) {
      row_reduce(space, rows, transform(sparse::OneVector<X>{x.data()}), epilogue);
    });
  });
  if (ghosts.empty()) return;
  sparse::OwnedAndGhosts<X> const all{x.data(), ghosts.data(), halo.distribution().local_size()};
  A.stored().visit_second([&](auto const& rows) { row_reduce(space, rows, transform(all), epilogue); });
}

/// The same, followed by finish(sum of body over the rows of all ranks) on the space; body(i) may read
/// results of the epilogue in row i. The product is one pass over A if this rank has no ghosts, which x of
/// another type requires, or if the exchange is one launch. global_reduction: GlobalReduction, or another
/// class with its reduce(). Collective over the ranks of global_reduction.
template <class Sum, class T, class Space, class X, class Epilogue, class Body, class Finish, class Over,
          class Transform = sparse::WithSigns>
void multiply_into(Space const& space, DistMatrix<T, Space> const& A, Span<X const> x,
                   Epilogue const& epilogue, Body const& body, Finish const& finish, Over& global_reduction,
                   Transform const& transform = {}) {
  auto const& halo = A.halo();
  auto const in_one_pass = [&](auto const& rows, auto const& term) {
    global_reduction.template reduce<Sum>(core::Plus{}, finish, [&](auto const& then, auto& scratch) {
      row_reduce_into(space, rows, transform(term), epilogue, body, core::Plus{}, Sum{}, then, scratch);
    });
  };
  if (halo.send_to().empty() && halo.receive_from().empty())
    return A.stored().visit_first(
        [&](auto const& rows) { in_one_pass(rows, sparse::OneVector<X>{x.data()}); });
  TESSERA_EXPECT((std::is_same_v<core::NumberOf<X>, T>));
  if constexpr (std::is_same_v<core::NumberOf<X>, T>) {
    if (A.one_launch()) {
      auto const ghosts = A.template ghosts_of<X>();
      halo.exchange(space, core::numbers(x), core::numbers(ghosts), core::columns_of<X>);
      sparse::OwnedAndGhosts<X> const all{x.data(), ghosts.data(), halo.distribution().local_size()};
      return A.stored().visit_second([&](auto const& rows) { in_one_pass(rows, all); });
    }
    multiply_fused(space, A, x, epilogue, transform);
    global_reduction.template reduce<Sum>(core::Plus{}, finish, [&](auto const& then, auto& scratch) {
      core::reduce_into(space, x.size(), body, core::Plus{}, Sum{}, then, scratch);
    });
  }
}

}  // namespace Tessera::comm
