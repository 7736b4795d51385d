#pragma once
/// \file
/// What else is said of a solve: which parameter would help, and what its test did not see.
#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <Tpetra_RowMatrix.hpp>

#include "belos/iterate.hpp"

namespace Tessera::belos {

/// Adds to the reason of a solve that has failed, and to the warnings of any. B: as the user gave it; X: as
/// the solve left it. Collective.
void advise(KrylovChoice const& choice, Tpetra::RowMatrix<> const& A,
            Teuchos::RCP<Tpetra::Operator<> const> const& M, Tpetra::MultiVector<> const& B,
            Tpetra::MultiVector<> const& X, SolveOutcome& outcome);

}  // namespace Tessera::belos
