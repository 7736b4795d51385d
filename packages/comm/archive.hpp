#pragma once
/// \file
/// Distributions, halo plans and matrices in an archive; each rank saves and loads its part. Loading is
/// collective.
#include "comm/dist_csr.hpp"
#include "core/hash.hpp"
#include "sparse/archive.hpp"

namespace Tessera::comm {

/// Numbers that steer what ranks do together, so that they must be the same on all.
template <class... Numbers>
void require_alike(core::Archive const& file, Communicator const& comm, Numbers const&... numbers) {
  if (file.saves() || comm.size() == 1) return;
  core::Checksum sum;
  (sum.add(&numbers, sizeof numbers), ...);
  auto const mine = static_cast<GlobalIndex>(sum.value() >> 1);
  bool const alike = comm.max(mine) == comm.min(mine);
  file.require(alike, "the files of the ranks do not fit together");
}

/// comm: communicator of the loaded distribution.
inline void archive(core::Archive& file, Communicator const& comm, Distribution& rows) {
  auto owned = rows.local_size();
  file(owned);
  file.require(owned >= 0, "a rank has ", owned, " rows");
  if (!file.saves()) rows = Distribution(comm, owned);
}

/// Indices of others in `own`.
inline void require_ghosts(core::Archive const& file, Distribution const& own,
                           std::vector<GlobalIndex> const& ghosts) {
  for (std::size_t k = 0; k < ghosts.size(); ++k) {
    auto const ghost = ghosts[k];
    file.require(
        ghost >= 0 && ghost < own.global_size() && !own.owns(ghost) && (k == 0 || ghosts[k - 1] < ghost),
        "number ", k, " of the rows of other ranks is ", ghost);
  }
}

/// columns: distribution of the columns that the plan serves.
template <class Space>
void archive(core::Archive& file, Space const& space, Distribution const& columns, HaloPlan<Space>& halo) {
  auto ghosts = halo.ghosts();
  file(ghosts);
  require_ghosts(file, columns, ghosts);
  if (!file.saves()) halo = HaloPlan<Space>(space, columns, std::move(ghosts));
}

/// A matrix whose rows and columns are distributed as `alike`. What the user calls its rows is not kept.
template <class T, class Space>
void archive(core::Archive& file, Space const& space, Distribution const& alike, DistCsr<T, Space>& A) {
  auto& [rows, halo, local, user_row] = A;
  if (!file.saves()) {
    user_row = nullptr;
    rows = alike;
  }
  archive(file, space, alike, halo);
  sparse::archive(file, space, local, alike.local_size(), alike.local_size() + halo.ghost_count());
}

}  // namespace Tessera::comm
