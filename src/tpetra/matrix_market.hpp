#pragma once
/// \file
/// Matrix Market files as Tpetra objects, and back. Rank 0 reads or writes; when it fails, every rank throws
/// the same core::InvalidInput, which names the file and, where there is one, the line.
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/dist_csr.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// A square matrix from a coordinate file: real, integer or pattern (every entry 1), general or symmetric
/// (one triangle, either one; the other is added). Refused beyond what market_file.hpp refuses: rectangular,
/// duplicate entries, a number of rows that `equations` does not divide. Rows are distributed by block_map,
/// so that the `equations` rows of a node stay together. Collective.
Teuchos::RCP<CrsMatrix> read_matrix(std::string const& file,
                                    Teuchos::RCP<Teuchos::Comm<int> const> const& comm, int equations = 1);

/// Right-hand sides, near-nullspace, coordinates: as many columns as the file has, array or coordinate format
/// (what a coordinate file does not list is 0). Row i of the file goes to the i-th smallest global index of
/// map, whose indices follow each other without gaps. Collective.
Teuchos::RCP<MultiVector> read_dense(std::string const& file, Teuchos::RCP<Map const> const& map);

/// As coordinate, real, general; shortest digits that read back bitwise equal. Rows appear rank by rank and
/// are counted from the least global index. Collective.
void write_matrix(std::string const& file, CrsMatrix const& A);

/// The same of entries that lie on any rank; those that are 0 are left out. Collective.
void write_matrix(std::string const& file, comm::Communicator const& ranks, comm::HostMatrix const& A);

/// As array, real, general. Collective.
void write_dense(std::string const& file, MultiVector const& X);

/// As array, integer, general: one column, everybody's numbers in rank order. Collective.
void write_integers(std::string const& file, comm::Communicator const& ranks,
                    std::vector<GlobalIndex> const& numbers);

/// The map of the nodes of a map of rows: `equations` consecutive rows of a rank make a node.
/// \throws core::InvalidInput, on every rank, when a node's rows are not together
Teuchos::RCP<Map const> node_map(Map const& rows, int equations);

}  // namespace Tessera::tpetra
