#pragma once
/// \file
/// Copies of distributed matrices from any space and format to the host or an archive, with exactly the
/// stored values.
#include <numeric>
#include <utility>

#include "comm/archive.hpp"
#include "comm/dist_csr.hpp"
#include "comm/dist_matrix.hpp"
#include "sparse/formats/unpacked.hpp"

namespace Tessera::comm {

/// The global indices of owned rows.
inline std::vector<GlobalIndex> owned_indices(Distribution const& rows) {
  std::vector<GlobalIndex> result(static_cast<std::size_t>(rows.local_size()));
  std::iota(result.begin(), result.end(), rows.begin());
  return result;
}

/// Copies the entries of this rank to the host. Not collective.
template <class Space>
HostMatrix fetch(Space const& space, DistCsr<double, Space> const& A) {
  return {A.rows.global_size(), A.columns().global_size(), owned_indices(A.rows), global_columns(A.halo),
          sparse::copied<double>(space, A.local, Host{})};
}

/// Entries in the order of sparse::unpacked().
template <class T, class Space>
HostMatrix fetch(Space const& space, DistMatrix<T, Space> const& A, Distribution const& rows) {
  auto columns = global_columns(A.halo());
  auto const count = static_cast<Index>(columns.size());
  return {
      rows.global_size(), A.halo().distribution().global_size(), owned_indices(rows), std::move(columns),
      sparse::copied<double>(Host{}, sparse::unpacked(space, A.stored(), rows.local_size(), count), Host{})};
}

/// The stored R = P^T. columns: rows of P.
template <class T, class Space>
HostMatrix fetch(Space const& space, DistTranspose<T, Space> const& R, Distribution const& columns) {
  auto rows = global_columns(R.halo());
  auto const count = static_cast<Index>(rows.size());
  return {R.halo().distribution().global_size(), columns.global_size(), std::move(rows),
          owned_indices(columns),
          sparse::copied<double>(Host{}, sparse::unpacked(space, R.stored(), count, columns.local_size()),
                                 Host{})};
}

/// Saves a stored matrix (null: none), or loads it with values in double. rows, columns: distributions of the
/// matrix. Loading is collective.
template <class T, class Space>
void archive_stored(core::Archive& file, Space const& space, DistMatrix<T, Space> const* stored,
                    Distribution const& rows, Distribution const& columns, DistCsr<double, Space>& loaded) {
  HaloPlan<Space> halo;
  if (stored != nullptr) halo = stored->halo();
  archive(file, space, columns, halo);
  sparse::archive_stored(file, space, stored == nullptr ? nullptr : &stored->stored(), rows.local_size(),
                         columns.local_size() + halo.ghost_count(), loaded.local);
  if (file.saves()) return;
  loaded.rows = rows;
  loaded.halo = std::move(halo);
  loaded.user_row = nullptr;
}

}  // namespace Tessera::comm
