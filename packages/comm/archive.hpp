#pragma once
/// \file
/// Distributions, halo plans and matrices in an archive; each rank saves and loads its part. Loading is
/// collective.
#include "comm/dist_csr.hpp"
#include "sparse/archive.hpp"

namespace Tessera::comm {

/// comm: communicator of the loaded distribution.
inline void archive(core::Archive& file, Communicator const& comm, Distribution& rows) {
  auto owned = rows.local_size();
  file(owned);
  if (!file.saves()) rows = Distribution(comm, owned);
}

/// columns: distribution of the columns that the plan serves.
template <class Space>
void archive(core::Archive& file, Space const& space, Distribution const& columns, HaloPlan<Space>& halo) {
  auto ghosts = halo.ghosts();
  file(ghosts);
  if (!file.saves()) halo = HaloPlan<Space>(space, columns, std::move(ghosts));
}

/// A matrix whose columns are distributed as its rows. The user's names of rows are not saved.
template <class T, class Space>
void archive(core::Archive& file, Space const& space, Communicator const& comm, DistCsr<T, Space>& A) {
  auto& [rows, halo, local, user_row] = A;
  if (!file.saves()) user_row = nullptr;
  archive(file, comm, rows);
  archive(file, space, rows, halo);
  sparse::archive(file, space, local);
}

}  // namespace Tessera::comm
