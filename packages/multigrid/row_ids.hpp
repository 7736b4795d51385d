#pragma once
/// \file
/// Ids of rows from those of nodes.
#include "core/array.hpp"
#include "core/parallel.hpp"

namespace Tessera::multigrid {

/// A row's persistent id: its node's, and which of the node's rows it is.
struct RowIds {
  Span<VertexId const> node;
  int equations;
  Span<VertexId> row;
  TESSERA_HD void operator()(Index i) const { row[i] = node[i / equations] * equations + i % equations; }
};

/// Where nodes are rows, this is their ids' memory.
template <class Space>
Array<VertexId, Space> row_ids(Space const& space, Span<VertexId const> ids, int equations) {
  if (equations == 1) return Array<VertexId, Space>::borrowed(space, ids);
  Array<VertexId, Space> result(space, ids.size() * equations);
  core::for_each(space, result.size(), RowIds{ids, equations, result.span()});
  return result;
}

}  // namespace Tessera::multigrid
