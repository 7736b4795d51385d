#pragma once
/// \file
/// Distributed matrices in the formats of products in an archive.
#include "comm/archive.hpp"
#include "comm/dist_matrix.hpp"
#include "sparse/formats/unpacked.hpp"

namespace Tessera::comm {

/// Saves a stored matrix, or null for none; loads it with values in double. rows, columns: its distributions.
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
