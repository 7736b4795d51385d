#pragma once
/// \file
/// See dist_csr.hpp.
#include "comm/dist_csr.hpp"
#include "core/parallel.hpp"

namespace Tessera::comm {

/// One row of y = A x.
template <class T>
struct MultiplyRow {
  sparse::CsrView<T> A;
  Span<T const> x, ghosts;
  Span<T> y;
  TESSERA_HD void operator()(Index row) const {
    auto const owned = static_cast<Index>(x.size());
    T sum = 0;
    for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
      Index const c = A.column[k];
      sum += A.value[k] * (c < owned ? x[c] : ghosts[c - owned]);
    }
    y[row] = sum;
  }
};

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
  auto const owned = static_cast<std::size_t>(A.columns().local_size());
  core::for_each(space, A.local.rows, MultiplyRow<T>{A.local.view(), {x.data(), owned}, ghosts.view(), y});
}

}  // namespace Tessera::comm
