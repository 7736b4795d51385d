#pragma once
/// \file
/// Products with a DistMatrix, fused with what follows them.
#include "comm/dist_matrix.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::comm {

/// epilogue(i, (A x)_i) for every owned row i, in no particular order; it may not touch x. x: owned entries.
/// seen: InMagnitude for (|A| |x|)_i. Collective among neighbours; allocates nothing. See
/// sparse/engine/row_reduce.hpp.
template <class T, class Space, class Epilogue, class Seen = sparse::AsItIs>
void multiply_fused(Space const& space, DistMatrix<T, Space> const& A, Span<T const> x,
                    Epilogue const& epilogue, Seen const& seen = {}) {
  auto const& halo = A.halo();
  auto const ghosts = A.ghosts();
  halo.begin_exchange(space, x, ghosts);
  A.stored().visit_first(
      [&](auto const& rows) { row_reduce(space, rows, seen(sparse::OneVector<T>{x.data()}), epilogue); });
  halo.end_exchange(space);
  if (ghosts.empty()) return;
  sparse::OwnedAndGhosts<T> const all{x.data(), ghosts.data(), halo.distribution().local_size()};
  A.stored().visit_second([&](auto const& rows) { row_reduce(space, rows, seen(all), epilogue); });
}

}  // namespace Tessera::comm
