#pragma once
/// \file
/// Distributed CSR as Tpetra's matrix, for packages that know no other.
#include <vector>

#include "comm/distribution.hpp"
#include "sparse/csr.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tpetra {

/// A copy whose rows and columns are those of the maps, by their local numbers. Collective.
Teuchos::RCP<CrsMatrix> crs_matrix(sparse::CsrView<double> const& A, Teuchos::RCP<Map const> const& rows,
                                   Teuchos::RCP<Map const> const& columns);

/// A copy of a square matrix whose local columns have these global indices, the owned ones first, on the same
/// ranks and a communicator of its own. Collective.
Teuchos::RCP<CrsMatrix> crs_matrix(sparse::CsrView<double> const& A, comm::Distribution const& rows,
                                   std::vector<GlobalIndex> const& columns);

}  // namespace Tessera::tpetra
