#pragma once
/// \file
/// What nodes are called.
#include <vector>

#include "core/sequence.hpp"
#include "tpetra/import_matrix.hpp"

namespace Tessera::ifpack2 {

/// A global id for each node of `equations` rows: that of its first one. Where the rows' ids follow on each
/// other they are made on the space.
template <class Space>
Array<VertexId, Space> node_ids(Space const& space, tpetra::RowIds const& rows, int equations) {
  auto const nodes = rows.size / static_cast<std::size_t>(equations);
  if (rows.listed.empty()) return core::arithmetic_sequence(space, rows.first, equations, nodes);
  std::vector<VertexId> ids(nodes);
  for (std::size_t node = 0; node < nodes; ++node) ids[node] = rows[node * equations];
  return core::to_space(space, ids);
}

}  // namespace Tessera::ifpack2
