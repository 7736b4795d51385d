#pragma once
/// \file
/// Products with a DistMatrix, fused with what follows them.
#include "comm/dist_matrix.hpp"
#include "comm/split_rows_body.hpp"

namespace Tessera::comm {

/// epilogue(i, (A x)_i) for every owned row i, in no particular order; it may not touch x. x: owned entries.
/// Collective among neighbours; allocates nothing. See sparse/row_products.hpp.
template <class T, class Space, class Epilogue>
void multiply_fused(Space const& space, DistMatrix<T, Space> const& A, Span<T const> x,
                    Epilogue const& epilogue) {
  auto const& halo = A.halo();
  auto const ghosts = A.ghosts();
  halo.begin_exchange(space, x, ghosts);
  A.stored().first(space, sparse::OneVector<T>{x.data()}, epilogue);
  halo.end_exchange(space);
  if (ghosts.empty()) return;
  A.stored().second(
      space, sparse::OwnedAndGhosts<T>{x.data(), ghosts.data(), halo.distribution().local_size()}, epilogue);
}

}  // namespace Tessera::comm
