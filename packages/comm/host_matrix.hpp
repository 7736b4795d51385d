#pragma once
/// \file
/// What a distributed matrix holds, in the memory of the host: for files and pictures.
#include <vector>

#include "sparse/csr.hpp"

namespace Tessera::comm {

/// Entries of a distributed matrix that lie on this rank. Those of a row may lie on several ranks.
struct HostMatrix {
  GlobalIndex rows = 0, columns = 0;     ///< of all ranks
  std::vector<GlobalIndex> row, column;  ///< the global indices of local's rows and columns
  sparse::Csr<double, Host> local;
};

}  // namespace Tessera::comm
