#pragma once
/// \file
/// Products with a DistMatrix, fused with what follows them.
#include "comm/dist_matrix.hpp"
#include "comm/split_rows_body.hpp"

namespace Tessera::comm {

/// epilogue(i, (A x)_i) for every owned row i, in no particular order; it may not touch x. x: owned entries.
/// see: InMagnitude for (|A| |x|)_i. Collective among neighbours; allocates nothing. See
/// sparse/row_products.hpp.
template <class T, class Space, class Epilogue, class See = sparse::AsItIs>
void multiply_fused(Space const& space, DistMatrix<T, Space> const& A, Span<T const> x,
                    Epilogue const& epilogue, See const& see = {}) {
  auto const& halo = A.halo();
  auto const ghosts = A.ghosts();
  halo.begin_exchange(space, x, ghosts);
  A.stored().first(space, see(sparse::OneVector<T>{x.data()}), epilogue);
  halo.end_exchange(space);
  if (ghosts.empty()) return;
  A.stored().second(space,
                    see(sparse::OwnedAndGhosts<T>{x.data(), ghosts.data(), halo.distribution().local_size()}),
                    epilogue);
}

/// first(i, (A x)_i) for every owned row i, then second(i, (A y)_i). first may write y[i], and second x[i].
/// Collective among neighbours; allocates nothing.
template <class T, class Space, class First, class Second>
void multiply_fused_twice(Space const& space, DistMatrix<T, Space> const& A, Span<T const> x,
                          First const& first, Span<T const> y, Second const& second) {
  multiply_fused(space, A, x, first);
  multiply_fused(space, A, y, second);
}

/// In one pass where that is faster. The second set comes first in the first product and last in the second:
/// then the rows in between need no other rank's.
template <class T, class First, class Second>
void multiply_fused_twice(Host const& space, DistMatrix<T, Host> const& A, Span<T const> x,
                          First const& first, Span<T const> y, Second const& second) {
  if (A.wavefront().empty()) {
    multiply_fused(space, A, x, first);
    return multiply_fused(space, A, y, second);
  }
  auto const& halo = A.halo();
  auto const ghosts = A.ghosts();
  auto const with_ghosts = [&](Span<T const> v) {
    return sparse::OwnedAndGhosts<T>{v.data(), ghosts.data(), halo.distribution().local_size()};
  };
  halo.exchange(space, x, ghosts);
  if (!ghosts.empty()) A.stored().second(space, with_ghosts(x), first);
  halo.begin_exchange(space, y, ghosts);
  sparse::for_each_row_product_twice(A.wavefront(), A.stored().first_chunks(), sparse::OneVector<T>{x.data()},
                                     first, sparse::OneVector<T>{y.data()}, second);
  halo.end_exchange(space);
  if (!ghosts.empty()) A.stored().second(space, with_ghosts(y), second);
}

}  // namespace Tessera::comm
