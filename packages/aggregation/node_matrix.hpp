#pragma once
/// \file
/// From a matrix of unknowns to a matrix of nodes.
#include <algorithm>
#include <cmath>
#include <vector>

#include "comm/dist_csr.hpp"
#include "core/group.hpp"
#include "core/span.hpp"
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/spgemm.hpp"

namespace Tessera::aggregation {

/// The number that represents an equations x equations block.
enum class BlockMeasure {
  norm,  ///< Frobenius norm: independent of the orthonormal basis of either node, hence valid on coarse
         ///< levels
  trace  ///< keeps the sign; unchanged by one rotation of both nodes' unknowns
};

/// A square matrix with one row per node and ascending columns, and the map from the columns of the matrix of
/// unknowns to its columns.
template <class Space>
struct NodeMatrix {
  comm::DistCsr<double, Space> matrix;
  Array<Index, Space> node;       ///< of each local column of A, ghosts included
  Array<Index, Space> component;  ///< the column's number among the unknowns of its node
};

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

/// The position of the first entry of each node's rows.
struct NodeOffsetsBody {
  Span<Offset const> offsets;
  int equations;
  Offset* of_node;
  TESSERA_HD void operator()(Index I) const { of_node[I] = offsets[static_cast<std::size_t>(I) * equations]; }
};

/// The values of a node's row, summed in A's storage order: entries of one block are mostly adjacent, and
/// lanes add them one after the other.
struct FillNodesBody {
  NodeRows rows;
  Index const* component;
  BlockMeasure measure;
  Offset const* offsets;
  Index const* column;
  double* value;
  TESSERA_HD bool counts(Offset k, int e) const {
    return measure == BlockMeasure::norm || component[rows.A.column[k]] == e;
  }
  TESSERA_HD double term(Offset k) const {
    double const a = rows.A.value[k];
    return measure == BlockMeasure::norm ? a * a : a;
  }
  TESSERA_HD double result(double sum) const { return measure == BlockMeasure::norm ? std::sqrt(sum) : sum; }

  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index I) const {
    constexpr Index none = -1;
    Offset const begin = offsets[I], end = offsets[I + 1];
    Span<Index const> const columns(column + begin, static_cast<std::size_t>(end - begin));
    for (auto p = begin + group.lane; p < end; p += Group::size) value[p] = 0.0;
    group.sync();
    for (int e = 0; e < rows.equations; ++e) {
      auto const row = static_cast<std::size_t>(I) * rows.equations + e;
      auto const stop = rows.A.offsets[row + 1];
      Index previous = none;
      Offset p = begin;
      for (auto first = rows.A.offsets[row]; first < stop; first += Group::size) {
        auto const k = first + group.lane;
        bool const mine = k < stop && counts(k, e);
        Index const J = mine ? rows.column_node(k) : none;
        if (mine && J != previous) p = begin + static_cast<Offset>(core::lower_bound(columns, J));
        previous = mine ? J : previous;
        int const turn = group.count_same_before(J);
        for (int t = 0; group.any(mine && turn >= t); ++t) {
          if (mine && turn == t) value[p] += term(k);
          group.sync();
        }
      }
    }
    for (auto p = begin + group.lane; p < end; p += Group::size) value[p] = result(value[p]);
  }
};

struct EntryMaskBody {
  NodeRows rows;
  sparse::CsrView<double> nodes;
  unsigned char const* node_strong;
  unsigned char* strong;
  TESSERA_HD Offset begin(Index I) const { return rows.begin(I); }
  TESSERA_HD Offset end(Index I) const { return rows.end(I); }
  TESSERA_HD void operator()(Index I, Offset k) const {
    Index const J = rows.column_node(k);
    auto const first = nodes.offsets[I];
    Span<Index const> const columns =
        nodes.column.part(first, static_cast<std::size_t>(nodes.offsets[I + 1] - first));
    strong[k] = node_strong[first + static_cast<Offset>(core::lower_bound(columns, J))];
  }
};

/// 1 for each entry that is not kept.
struct DroppedBody {
  unsigned char const* strong;
  TESSERA_HD GlobalIndex operator()(Index k) const { return strong[k] == 0 ? 1 : 0; }
};

/// A's rows are whole nodes on every rank. A node is a ghost if one of its columns is a ghost of A.
/// Collective.
template <class Space>
NodeMatrix<Space> node_matrix(Space const& space, comm::DistCsr<double, Space> const& A, int equations,
                              BlockMeasure measure) {
  auto const owned = static_cast<std::size_t>(A.columns().local_size());
  Index const nodes = A.local.rows / equations;

  // Ghosts, on the host: their number is the halo's size.
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
  N.rows = A.rows.divided(equations);
  N.halo = comm::HaloPlan<Space>(space, N.rows, std::move(ghost_nodes));
  // The pattern is a product: A's pattern with the rows of each node joined, times the matrix from columns to
  // nodes.
  auto const columns = result.node.size();
  Array<Offset, Space> row_offsets(space, static_cast<std::size_t>(nodes) + 1),
      column_offsets(space, columns + 1);
  core::for_each(space, row_offsets.size(),
                 NodeOffsetsBody{A.local.offsets.view(), equations, row_offsets.data()});
  core::fill_sequence(space, column_offsets.span());
  auto const of_columns = static_cast<Index>(columns);
  N.local = sparse::spgemm_symbolic<double>(
      space, {nodes, of_columns, row_offsets.view(), A.local.column.view(), {}},
      {of_columns, nodes + N.halo.ghost_count(), column_offsets.view(), result.node.view(), {}},
      sparse::SpgemmMethod::hash);
  core::for_each_group(space, nodes, core::GroupShape<32>{},
                       FillNodesBody{{A.local.view(), result.node.data(), equations},
                                     result.component.data(),
                                     measure,
                                     N.local.offsets.data(),
                                     N.local.column.data(),
                                     N.local.value.data()});
  return result;
}

/// The mask of A's entries from the mask of the nodes' entries, which keeps diagonal blocks.
template <class Space>
Array<unsigned char, Space> entry_mask(Space const& space, comm::DistCsr<double, Space> const& A,
                                       int equations, NodeMatrix<Space> const& nodes,
                                       Span<unsigned char const> strong) {
  Array<unsigned char, Space> mask(space, A.local.column.size());
  if (core::sum(space, strong.size(), DroppedBody{strong.data()}) == 0) {
    core::fill(space, mask.span(), 1);
  } else {
    sparse::for_each_entry(space, nodes.matrix.local.rows, mask.size(),
                           EntryMaskBody{{A.local.view(), nodes.node.data(), equations},
                                         nodes.matrix.local.view(),
                                         strong.data(),
                                         mask.data()});
  }
  return mask;
}

}  // namespace Tessera::aggregation
