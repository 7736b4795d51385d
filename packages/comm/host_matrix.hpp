#pragma once
/// \file
/// Host copy of this rank's part of a distributed matrix, for files and pictures.
#include <vector>

#include "sparse/csr.hpp"

namespace Tessera::comm {

/// Entries of a distributed matrix on this rank. Several ranks may have entries of one row.
struct HostMatrix {
  GlobalIndex rows = 0, columns = 0;     ///< global numbers
  std::vector<GlobalIndex> row, column;  ///< global indices of the rows and columns of `local`
  sparse::Csr<double, Host> local;
};

}  // namespace Tessera::comm
