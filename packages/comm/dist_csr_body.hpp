#pragma once
/// \file
/// Copies, counts and products of DistCsr.
#include "comm/dist_csr.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::comm {

template <class T, class From, class Target>
DistCsr<T, Target> copied(From const& from, DistCsr<T, From> const& A, Target const& to) {
  return {A.rows, HaloPlan<Target>(to, A.columns(), A.halo.ghosts()), sparse::copied<T>(from, A.local, to),
          A.user_row};
}

template <class T, class Space>
GlobalIndex global_nonzeros(DistCsr<T, Space> const& A) {
  return A.rows.comm().sum(GlobalIndex{A.local.nonzeros()});
}

template <class Space>
std::vector<GlobalIndex> global_columns(HaloPlan<Space> const& halo) {
  auto const& distribution = halo.distribution();
  std::vector<GlobalIndex> columns(distribution.local_size());
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = distribution.begin() + i;
  columns.insert(columns.end(), halo.ghosts().begin(), halo.ghosts().end());
  return columns;
}

template <class T, class Space>
void multiply(Space const& space, DistCsr<T, Space> const& A, Span<T const> x, Span<T> y) {
  Array<T, Space> ghosts(space, A.halo.ghost_count());
  A.halo.exchange(space, x, ghosts.span());
  auto const owned = A.columns().local_size();
  sparse::row_reduce(space, A.local.view(), sparse::OwnedAndGhosts<T>{x.data(), ghosts.data(), owned},
                     sparse::StoreProduct<T>{y.data()});
}

}  // namespace Tessera::comm
