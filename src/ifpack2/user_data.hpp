#pragma once
/// \file
/// Near-nullspace, coordinates and materials as programs hand them over, ids of nodes, and the range of
/// float.
#include <Teuchos_ParameterList.hpp>
#include <vector>

#include "comm/dist_csr.hpp"
#include "core/sequence.hpp"
#include "multigrid/parameters.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/types.hpp"

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

/// The largest entry of all ranks, in magnitude. Collective.
double largest_entry(comm::DistCsr<double, Host> const& A);
/// The same of each column on this rank.
std::vector<double> largest_of_columns(tpetra::MultiVector const& X);

/// A cycle in float works with values, their inverses and residuals, all of which must stay away from float's
/// limits, 1e-38 and 3e38. largest: of the matrix. \throws core::InvalidInput where they do not
void require_range_of_float(double largest);

/// The power of two that a vector is to be divided by where a cycle in float would leave float's range, else
/// 1. Entries: the largest of the vector and of the matrix, in magnitude.
double scale_for_float(double entry, double matrix);

using MultiVectorPointer = Teuchos::RCP<tpetra::MultiVector const>;

/// Null where nothing was given.
struct UserData {
  MultiVectorPointer nullspace, coordinates, material;
};

/// The sublist "user data" of a list, as MueLu has it: "Nullspace", "Coordinates" and "Material", each an RCP
/// to a Tpetra::MultiVector, const or not. \throws core::InvalidInput on other names and types
UserData user_data(Teuchos::ParameterList const& list);

/// As the hierarchy takes it: `rows` rows on this rank, `equations` of them a node. Where there are
/// coordinates of as many dimensions as a node has unknowns, 2 or 3, but no nullspace: rigid-body modes.
/// Collective. \throws core::InvalidInput, on every rank, where lengths do not fit or a value is not finite
multigrid::NearNullspace near_nullspace(comm::Communicator const& comm, UserData const& data,
                                        std::size_t rows, int equations);

}  // namespace Tessera::ifpack2
