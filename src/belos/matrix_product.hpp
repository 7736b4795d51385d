#pragma once
/// \file
/// A x, whatever A is, with long rows summed as Tessera's own products sum them.
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>

#include "belos/Tessera_ResidentOperator.hpp"

namespace Tessera::belos {

/// Y = A X. Collective.
void apply_matrix(Tpetra::Operator<> const& A, Tpetra::MultiVector<> const& X, Tpetra::MultiVector<>& Y);
void apply_matrix(ResidentOperator const& A, ResidentMultiVector const& X, ResidentMultiVector& Y);

}  // namespace Tessera::belos
