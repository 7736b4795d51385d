#pragma once
/// \file
/// Near-nullspace, coordinates and materials from programs; ids of nodes; checks against the range of float.
#include <Teuchos_ParameterList.hpp>
#include <vector>

#include "comm/dist_csr.hpp"
#include "core/sequence.hpp"
#include "ifpack2/backend.hpp"
#include "multigrid/parameters.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/types.hpp"

namespace Tessera::ifpack2 {

/// A global id for each node of `equations` rows: the id of its first row. If row ids are consecutive, the
/// space computes them.
template <class Space>
Array<VertexId, Space> node_ids(Space const& space, tpetra::RowIds const& rows, int equations) {
  auto const nodes = rows.size / static_cast<std::size_t>(equations);
  if (rows.listed.empty()) return core::arithmetic_sequence(space, rows.first, equations, nodes);
  std::vector<VertexId> ids(nodes);
  for (std::size_t node = 0; node < nodes; ++node) ids[node] = rows[node * equations];
  return core::to_space(space, ids);
}

/// Checks that each rank has whole nodes of `equations` rows. Collective. \throws core::InvalidInput, on
/// every rank
void require_whole_nodes(comm::Distribution const& rows, int equations);

/// The largest magnitude in each column, on this rank; read where the vectors lie.
std::vector<double> largest_of_columns(Backend const& backend, tpetra::MultiVector const& X);

/// Checks the matrix for a cycle in float, in which values, their inverses and residuals must stay within
/// float's limits, 1e-38 and 3e38. largest: SystemMatrix::largest_entry(). \throws core::InvalidInput if it
/// is too large or too small
void require_range_of_float(double largest);

/// The power of two by which to divide a vector so that a cycle in float stays in float's range; 1 if no
/// scaling is needed. entry, matrix: the largest magnitudes of vector and matrix.
double scale_for_float(double entry, double matrix);

using MultiVectorPointer = Teuchos::RCP<tpetra::MultiVector const>;

/// Members may be null.
struct UserData {
  MultiVectorPointer nullspace, coordinates, material;
};

/// Reads the sublist "user data" in MueLu's form: "Nullspace", "Coordinates" and "Material", each an RCP to a
/// Tpetra::MultiVector, const or not. \throws core::InvalidInput for other names and types
UserData user_data(Teuchos::ParameterList const& list);

/// The near-nullspace of a hierarchy, for `rows` rows on this rank, `equations` per node. It is rigid-body
/// modes if no nullspace is given and coordinates have as many dimensions as a node has unknowns, 2 or 3.
/// Vectors in the memory of the space are read in place, so the result must not outlive the setup; other
/// vectors, and all materials, are copied through the host. Collective. \throws core::InvalidInput, on every
/// rank, if lengths do not fit or a value is not finite
template <class Space>
multigrid::NearNullspace near_nullspace(Space const& space, comm::Communicator const& comm,
                                        UserData const& data, std::size_t rows, int equations);

}  // namespace Tessera::ifpack2
