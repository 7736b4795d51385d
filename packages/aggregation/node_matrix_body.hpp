#pragma once
/// \file
/// See node_matrix.hpp.
#include <algorithm>
#include <cmath>
#include <vector>

#include "aggregation/node_matrix.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

/// Entries of one node's rows and the nodes of their columns.
struct NodeRows {
  sparse::CsrView<double> A;
  Index const* node;
  int equations;
  TESSERA_HD Offset begin(Index I) const { return A.offsets[static_cast<std::size_t>(I) * equations]; }
  TESSERA_HD Offset end(Index I) const { return begin(I + 1); }
  TESSERA_HD Index column_node(Offset k) const { return node[A.column[k]]; }
};

/// Node and component of the owned columns.
struct SplitColumnBody {
  int equations;
  Index *node, *component;
  TESSERA_HD void operator()(Index c) const {
    node[c] = c / equations;
    component[c] = c % equations;
  }
};

/// The distinct nodes of a node's columns, in an open hash table as long as the node's entries. Entries of
/// one block mostly stand side by side, so only the first of a run is looked up.
struct CountNodesBody {
  static constexpr Index empty = -1;
  NodeRows rows;
  Index* table;  ///< as long as A's entries
  Offset* counts;
  TESSERA_HD void operator()(Index I) const {
    Offset const begin = rows.begin(I), end = rows.end(I);
    auto const capacity = static_cast<std::uint64_t>(end - begin);
    for (Offset k = begin; k < end; ++k) table[k] = empty;
    Index previous = empty;
    Offset count = 0;
    for (Offset k = begin; k < end; ++k) {
      Index const J = rows.column_node(k);
      if (J == previous) continue;
      previous = J;
      std::uint64_t slot = (static_cast<std::uint32_t>(J) * 0x9e3779b1u * capacity) >> 32;
      while (table[begin + slot] != empty && table[begin + slot] != J)
        slot = slot + 1 < capacity ? slot + 1 : 0;
      if (table[begin + slot] == J) continue;
      table[begin + slot] = J;
      ++count;
    }
    counts[I] = count;
  }
};

/// Ascending, by Shell's method with Ciura's gaps: rows of nodes are short.
TESSERA_HD inline void sort_ascending(Index* values, Offset n) {
  for (Offset const gap : {701, 301, 132, 57, 23, 10, 4, 1}) {
    for (Offset i = gap; i < n; ++i) {
      Index const value = values[i];
      Offset j = i;
      for (; j >= gap && values[j - gap] > value; j -= gap) values[j] = values[j - gap];
      values[j] = value;
    }
  }
}

/// Where J stands among the ascending columns begin <= p < end.
TESSERA_HD inline Offset position_of(Index J, Index const* column, Offset begin, Offset end) {
  while (end - begin > 1) {
    Offset const middle = begin + (end - begin) / 2;
    if (column[middle] <= J) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// Columns and values of a node's row, summed in A's storage order.
struct FillNodesBody {
  NodeRows rows;
  Index const* table;
  Index const* component;
  BlockMeasure measure;
  Offset const* offsets;
  Index* column;
  double* value;
  TESSERA_HD void operator()(Index I) const {
    Offset const begin = offsets[I], end = offsets[I + 1];
    Offset p = begin;
    for (Offset k = rows.begin(I); k < rows.end(I); ++k) {
      if (table[k] != CountNodesBody::empty) column[p++] = table[k];
    }
    sort_ascending(column + begin, end - begin);
    for (p = begin; p < end; ++p) value[p] = 0.0;
    for (int e = 0; e < rows.equations; ++e) {
      auto const row = static_cast<std::size_t>(I) * rows.equations + e;
      Index previous = CountNodesBody::empty;
      for (Offset k = rows.A.offsets[row]; k < rows.A.offsets[row + 1]; ++k) {
        Index const J = rows.column_node(k);
        if (J != previous) p = position_of(J, column, begin, end);
        previous = J;
        double const a = rows.A.value[k];
        if (measure == BlockMeasure::norm) {
          value[p] += a * a;
        } else if (component[rows.A.column[k]] == e) {
          value[p] += a;
        }
      }
    }
    if (measure == BlockMeasure::norm) {
      for (p = begin; p < end; ++p) value[p] = std::sqrt(value[p]);
    }
  }
};

struct EntryMaskBody {
  NodeRows rows;
  sparse::CsrView<double> nodes;
  unsigned char const* node_strong;
  unsigned char* strong;
  TESSERA_HD void operator()(Index I) const {
    Index previous = CountNodesBody::empty;
    unsigned char kept = 0;
    for (Offset k = rows.begin(I); k < rows.end(I); ++k) {
      Index const J = rows.column_node(k);
      if (J != previous)
        kept = node_strong[position_of(J, nodes.column.data(), nodes.offsets[I], nodes.offsets[I + 1])];
      previous = J;
      strong[k] = kept;
    }
  }
};

/// 1 for each entry that is not kept.
struct DroppedBody {
  unsigned char const* strong;
  TESSERA_HD GlobalIndex operator()(Index k) const { return strong[k] == 0 ? 1 : 0; }
};

template <class Space>
NodeMatrix<Space> node_matrix(Space const& space, comm::DistCsr<double, Space> const& A, int equations,
                              BlockMeasure measure) {
  auto const owned = static_cast<std::size_t>(A.columns().local_size());
  Index const nodes = A.local.rows / equations;

  // Ghosts: work of the halo's size, on the host.
  std::vector<GlobalIndex> ghost_nodes;
  std::vector<Index> node, component;
  for (auto const column : A.halo.ghosts()) {
    if (ghost_nodes.empty() || ghost_nodes.back() != column / equations)
      ghost_nodes.push_back(column / equations);
    node.push_back(nodes + static_cast<Index>(ghost_nodes.size()) - 1);
    component.push_back(static_cast<Index>(column % equations));
  }
  NodeMatrix<Space> result{
      {}, Array<Index, Space>(space, owned + node.size()), Array<Index, Space>(space, owned + node.size())};
  core::for_each(space, owned, SplitColumnBody{equations, result.node.data(), result.component.data()});
  core::copy(Host{}, Span<Index const>(node.data(), node.size()), space,
             result.node.span().part(owned, node.size()));
  core::copy(Host{}, Span<Index const>(component.data(), component.size()), space,
             result.component.span().part(owned, component.size()));

  auto& N = result.matrix;
  N.rows = comm::Distribution(A.rows.comm(), nodes);
  N.halo = comm::HaloPlan<Space>(space, N.rows, std::move(ghost_nodes));
  N.local.rows = nodes;
  N.local.columns = nodes + N.halo.ghost_count();
  N.local.offsets = Array<Offset, Space>(space, static_cast<std::size_t>(nodes) + 1);

  NodeRows const rows{A.local.view(), result.node.data(), equations};
  Array<Index, Space> table(space, A.local.column.size());
  core::for_each(space, nodes, CountNodesBody{rows, table.data(), N.local.offsets.data()});
  auto const entries = static_cast<std::size_t>(
      core::exclusive_scan(space, N.local.offsets.span().part(0, nodes), N.local.offsets.span()));
  N.local.column = Array<Index, Space>(space, entries);
  N.local.value = Array<double, Space>(space, entries);
  core::for_each(space, nodes,
                 FillNodesBody{rows, table.data(), result.component.data(), measure, N.local.offsets.data(),
                               N.local.column.data(), N.local.value.data()});
  return result;
}

template <class Space>
Array<unsigned char, Space> entry_mask(Space const& space, comm::DistCsr<double, Space> const& A,
                                       int equations, NodeMatrix<Space> const& nodes,
                                       Span<unsigned char const> strong) {
  Array<unsigned char, Space> mask(space, A.local.column.size());
  if (core::sum(space, strong.size(), DroppedBody{strong.data()}) == 0) {
    core::fill(space, mask.span(), 1);
  } else {
    core::for_each(space, nodes.matrix.local.rows,
                   EntryMaskBody{{A.local.view(), nodes.node.data(), equations},
                                 nodes.matrix.local.view(),
                                 strong.data(),
                                 mask.data()});
  }
  return mask;
}

}  // namespace Tessera::aggregation
