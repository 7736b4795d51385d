#pragma once
/// \file
/// Springs in a matrix that are far stiffer than all else: bodies tied by penalties, contact.
#include <Tpetra_RowMatrix.hpp>

namespace Tessera::belos {

struct Ties {
  long long rows = 0, all = 0;  ///< rows that are tied to others by penalties, and all rows
  double ratio = 1;             ///< the least of their diagonals over the largest of the others'
};

/// Rows behind a gap of two decades in the diagonals, at most half of all, that couple to other rows as
/// strongly: unlike those of nodes that a penalty holds at a value, which couple weakly, and which multigrid
/// bears. No rows where there is no such gap. Collective.
Ties find_ties(Tpetra::RowMatrix<> const& A);

}  // namespace Tessera::belos
