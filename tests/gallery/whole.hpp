#pragma once
/// \file
/// Dense copies of distributed objects, on every rank.
#include "gallery/problem.hpp"
#include "oracle/dense.hpp"

namespace Tessera::gallery {

using CommPtr = Teuchos::RCP<Teuchos::Comm<int> const>;

CommPtr world();
CommPtr alone();  ///< this rank only

/// Rows and columns by global index. Collective on the object's communicator.
oracle::Dense whole(tpetra::CrsMatrix const& A);
oracle::Dense whole(tpetra::MultiVector const& X);

/// Global indices of the stored entries, row by row.
std::vector<std::vector<GlobalIndex>> pattern(tpetra::CrsMatrix const& A);

}  // namespace Tessera::gallery
