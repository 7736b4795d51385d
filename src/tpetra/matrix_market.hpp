#pragma once
/// \file
/// Conversion between Matrix Market files and Tpetra objects. Rank 0 reads or writes; if it fails, every rank
/// throws the same core::InvalidInput, which names the file and, if known, the line.
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/dist_csr.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// A square matrix from a coordinate file: real, integer or pattern (every entry 1), general or symmetric
/// (the file has one triangle; the other is added). Errors in addition to those of market_file.hpp: a
/// rectangular matrix, duplicate entries, a number of rows that `equations` does not divide. Rows are
/// distributed by block_map(), so that the `equations` rows of a node stay together. Collective.
Teuchos::RCP<CrsMatrix> read_matrix(std::string const& file,
                                    Teuchos::RCP<Teuchos::Comm<int> const> const& comm, int equations = 1);

/// Right-hand sides, near-nullspace, coordinates: all columns of a file in array or coordinate format
/// (entries that a coordinate file lacks are 0). Row i of the file belongs to the i-th smallest global index
/// of map, whose indices have no gaps. Collective.
Teuchos::RCP<MultiVector> read_dense(std::string const& file, Teuchos::RCP<Map const> const& map);

/// As coordinate, real, general; shortest digits that read back bitwise equal. Rows appear rank by rank and
/// are counted from the least global index. Collective.
void write_matrix(std::string const& file, CrsMatrix const& A);

/// The same for entries on any rank; omits zeros. Collective.
void write_matrix(std::string const& file, comm::Communicator const& ranks, comm::HostMatrix const& A);

/// As array, real, general. Collective.
void write_dense(std::string const& file, MultiVector const& X);

/// As array, integer, general: one column with the numbers of all ranks in rank order. Collective.
void write_integers(std::string const& file, comm::Communicator const& ranks,
                    std::vector<GlobalIndex> const& numbers);

/// The map of nodes for a map of rows: `equations` consecutive rows of a rank form a node. \throws
/// core::InvalidInput, on every rank, if the rows of a node are not consecutive
Teuchos::RCP<Map const> node_map(Map const& rows, int equations);

}  // namespace Tessera::tpetra
