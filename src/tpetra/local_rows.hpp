#pragma once
/// \file
/// The maps of a matrix, and its local rows in the memory where Tpetra's node computes.
#include <Tpetra_Import.hpp>
#include <vector>

#include "comm/from_local.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// Whether the columns of this rank begin with its rows, in order. Compares lists where the node computes;
/// lists no contiguous map. Not collective.
bool begins_with_rows(Map const& columns, Map const& rows);

/// The global column of each local column that other ranks own, from the row map's directory. Collective.
std::vector<GlobalIndex> columns_of_others(Map const& row_map, Map const& columns,
                                           comm::Distribution const& rows);

/// The arrays of a fill-complete matrix in the node's memory, without ghost columns. Waits for pending
/// writes; valid until resumeFill(). No view stays alive, because Tpetra counts them. Not collective.
comm::LocalRows<Offset> local_rows(CrsMatrix const& A);

/// The matrix, if its arrays can be read in a GPU's memory: its node computes there, and the columns of each
/// rank begin with its rows. Otherwise null, on all ranks. A: square. Collective.
CrsMatrix const* device_matrix(RowMatrix const& A, comm::Communicator const& comm);

/// The number of the GPU that Kokkos computes on; -1: the node computes on the host.
int node_device();

/// How vectors on the domain map come to the column map; null where the maps are the same. Collective.
Teuchos::RCP<Import const> column_import(RowMatrix const& A);

}  // namespace Tessera::tpetra
