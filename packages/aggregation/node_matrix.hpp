#pragma once
/// \file
/// From a matrix of unknowns to one of nodes.
#include "comm/dist_csr.hpp"

namespace Tessera::aggregation {

/// One number for an equations x equations block.
enum class BlockMeasure {
  norm,  ///< Frobenius: the same in any orthonormal basis of either node, hence on coarse levels too
  trace  ///< keeps the sign; the same when both nodes' unknowns are turned alike
};

/// A square matrix with one row a node, columns ascending in each row, and how the columns of the matrix of
/// unknowns belong to its columns.
template <class Space>
struct NodeMatrix {
  comm::DistCsr<double, Space> matrix;
  Array<Index, Space> node;       ///< of each local column of A, ghosts included
  Array<Index, Space> component;  ///< which of the node's unknowns the column is
};

/// A's rows are whole nodes on every rank. A ghost node is one of which any column is a ghost of A.
/// Collective.
template <class Space>
NodeMatrix<Space> node_matrix(Space const& space, comm::DistCsr<double, Space> const& A, int equations,
                              BlockMeasure measure);

/// The mask of A's entries from that of the nodes' entries: blocks on the diagonal are kept whole.
template <class Space>
Array<unsigned char, Space> entry_mask(Space const& space, comm::DistCsr<double, Space> const& A,
                                       int equations, NodeMatrix<Space> const& nodes,
                                       Span<unsigned char const> strong);

}  // namespace Tessera::aggregation
