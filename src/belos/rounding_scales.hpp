#pragma once
/// \file
/// What the rounding errors of b - A x are measured by, for whatever A is.
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <vector>

#include "belos/Tessera_ResidentOperator.hpp"
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::belos {

/// One for each column; none where A has no rows to look at. Collective.
std::vector<krylov::RoundingScale> rounding_scales(Tpetra::Operator<> const& A,
                                                   Tpetra::MultiVector<> const& B,
                                                   Tpetra::MultiVector<> const& X);
std::vector<krylov::RoundingScale> rounding_scales(ResidentOperator const& A, ResidentMultiVector const& B,
                                                   ResidentMultiVector const& X);

}  // namespace Tessera::belos
