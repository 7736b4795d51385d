#pragma once
/// \file
/// Distributed matrices of any space and format on the host. Values are those that are stored, exactly. Not
/// collective.
#include <numeric>
#include <utility>

#include "comm/dist_matrix.hpp"
#include "comm/host_matrix.hpp"
#include "sparse/formats/unpacked.hpp"

namespace Tessera::comm {

/// The global indices of owned rows.
inline std::vector<GlobalIndex> owned_indices(Distribution const& rows) {
  std::vector<GlobalIndex> result(static_cast<std::size_t>(rows.local_size()));
  std::iota(result.begin(), result.end(), rows.begin());
  return result;
}

template <class Space>
HostMatrix fetch(Space const& space, DistCsr<double, Space> const& A) {
  return {A.rows.global_size(), A.columns().global_size(), owned_indices(A.rows), global_columns(A.halo),
          sparse::copied<double>(space, A.local, Host{})};
}

/// Entries as sparse::unpacked() has them.
template <class T, class Space>
HostMatrix fetch(Space const& space, DistMatrix<T, Space> const& A, Distribution const& rows) {
  auto columns = global_columns(A.halo());
  auto const count = static_cast<Index>(columns.size());
  return {
      rows.global_size(), A.halo().distribution().global_size(), owned_indices(rows), std::move(columns),
      sparse::copied<double>(Host{}, sparse::unpacked(space, A.stored(), rows.local_size(), count), Host{})};
}

/// R = P^T. columns: P's rows.
template <class T, class Space>
HostMatrix fetch(Space const& space, DistTranspose<T, Space> const& R, Distribution const& columns) {
  auto rows = global_columns(R.halo());
  auto const count = static_cast<Index>(rows.size());
  return {R.halo().distribution().global_size(), columns.global_size(), std::move(rows),
          owned_indices(columns),
          sparse::copied<double>(Host{}, sparse::unpacked(space, R.stored(), count, columns.local_size()),
                                 Host{})};
}

}  // namespace Tessera::comm
