#pragma once
/// \file
/// Distributions, halo plans and matrices in an archive; each rank saves and loads its part. Loading is
/// collective.
#include "comm/dist_csr.hpp"
#include "core/hash.hpp"
#include "sparse/archive.hpp"

namespace Tessera::comm {

/// Requires that numbers on which collective operations depend are the same on all ranks.
template <class... Numbers>
void require_same_on_ranks(core::Archive const& file, Communicator const& comm, Numbers const&... numbers) {
  if (file.saves() || comm.size() == 1) return;
  core::Checksum sum;
  (sum.add(&numbers, sizeof numbers), ...);
  auto const mine = static_cast<GlobalIndex>(sum.value() >> 1);
  bool const same = comm.max(mine) == comm.min(mine);
  file.require(same, "the files of the ranks do not fit together");
}

/// comm: communicator of a loaded distribution.
inline void archive(core::Archive& file, Communicator const& comm, Distribution& rows) {
  auto owned = rows.local_size();
  file(owned);
  file.require(owned >= 0, "a rank has ", owned, " rows");
  if (!file.saves()) rows = Distribution(comm, owned);
}

/// Requires ghosts of a distribution: ascending indices of rows of other ranks.
inline void require_ghosts(core::Archive const& file, Distribution const& own,
                           std::vector<GlobalIndex> const& ghosts) {
  for (std::size_t k = 0; k < ghosts.size(); ++k) {
    auto const ghost = ghosts[k];
    file.require(
        ghost >= 0 && ghost < own.global_size() && !own.owns(ghost) && (k == 0 || ghosts[k - 1] < ghost),
        "number ", k, " of the rows of other ranks is ", ghost);
  }
}

/// columns: distribution of the plan.
template <class Space>
void archive(core::Archive& file, Space const& space, Distribution const& columns, HaloPlan<Space>& halo) {
  auto ghosts = halo.ghosts();
  file(ghosts);
  require_ghosts(file, columns, ghosts);
  if (!file.saves()) halo = HaloPlan<Space>(space, columns, std::move(ghosts));
}

/// A matrix whose rows and columns have this distribution. The user's row names are not saved.
template <class T, class Space>
void archive(core::Archive& file, Space const& space, Distribution const& distribution,
             DistCsr<T, Space>& A) {
  auto& [rows, halo, local, user_row] = A;
  if (!file.saves()) {
    user_row = nullptr;
    rows = distribution;
  }
  archive(file, space, distribution, halo);
  sparse::archive(file, space, local, distribution.local_size(),
                  distribution.local_size() + halo.ghost_count());
}

}  // namespace Tessera::comm
