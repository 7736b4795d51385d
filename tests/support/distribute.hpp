#pragma once
/// \file
/// Distributes whole matrices over ranks.
#include <vector>

#include "comm/dist_csr.hpp"
#include "support/world.hpp"

namespace Tessera::test {

/// This rank's rows of a matrix that every rank has as a whole.
inline comm::DistCsr<double, Host> distribute(sparse::Csr<double, Host> const& A,
                                              comm::Distribution const& rows,
                                              comm::Distribution const& columns) {
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      column.push_back(A.column[k]);
      value.push_back(A.value[k]);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(rows, columns, offsets, column, value);
}
inline comm::DistCsr<double, Host> distribute(sparse::Csr<double, Host> const& A,
                                              comm::Distribution const& rows) {
  return distribute(A, rows, rows);
}

/// All rows on the first rank, where they are enough for several blocks.
inline comm::DistCsr<double, Host> on_the_first_rank(sparse::Csr<double, Host> const& A) {
  auto const comm = world();
  return distribute(A, {comm, comm.rank() == 0 ? A.rows : 0});
}

}  // namespace Tessera::test
