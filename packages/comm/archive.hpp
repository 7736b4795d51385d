#pragma once
/// \file
/// Distributions, halo plans and matrices in an archive: of each rank its part. All is collective when it
/// loads.
#include "comm/dist_csr.hpp"
#include "sparse/archive.hpp"

namespace Tessera::comm {

/// comm: that of what is loaded.
inline void archive(core::Archive& file, Communicator const& comm, Distribution& rows) {
  auto owned = rows.local_size();
  file(owned);
  if (!file.saves()) rows = Distribution(comm, owned);
}

/// columns: what it is distributed as.
template <class Space>
void archive(core::Archive& file, Space const& space, Distribution const& columns, HaloPlan<Space>& halo) {
  auto ghosts = halo.ghosts();
  file(ghosts);
  if (!file.saves()) halo = HaloPlan<Space>(space, columns, std::move(ghosts));
}

/// A matrix whose rows and columns are distributed alike. What the user calls its rows is not kept.
template <class T, class Space>
void archive(core::Archive& file, Space const& space, Communicator const& comm, DistCsr<T, Space>& A) {
  auto& [rows, halo, local, user_row] = A;
  if (!file.saves()) user_row = nullptr;
  archive(file, comm, rows);
  archive(file, space, rows, halo);
  sparse::archive(file, space, local);
}

}  // namespace Tessera::comm
