#pragma once
/// \file
/// Copy of a Tpetra matrix for packages that support Epetra only.
#include <Epetra_CrsMatrix.h>

#include <memory>

#include "baselines/preconditioner.hpp"

namespace Tessera::baselines {

/// Copies structure and values; maps keep their global indices and their order on each rank. Collective.
/// \throws core::InvalidInput if a global index does not fit 32 bits
std::unique_ptr<Epetra_CrsMatrix> copy_to_epetra(Matrix const& A);

}  // namespace Tessera::baselines
