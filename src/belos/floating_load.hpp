#pragma once
/// \file
/// Right-hand sides of components that nothing holds: no solution balances them.
#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <string>

namespace Tessera::belos {

struct FloatingLoad {
  double share = 0;    ///< of ||b||, in the nullspace of all floating components; the largest of all columns
  long long row = 0;   ///< the first of the component that has most of it
  long long rows = 0;  ///< of that component
  long long others = 0;  ///< components that have more of it than the tolerance allows, besides
};

/// What keeps || b - A x || above tolerance ||b|| for every x; share is 0 where nothing does. A component
/// floats where the near-nullspace of M, else constants, are its nullspace. A: symmetric. Collective.
FloatingLoad floating_load(Tpetra::RowMatrix<> const& A, Teuchos::RCP<Tpetra::Operator<> const> const& M,
                           Tpetra::MultiVector<> const& B, double tolerance);

/// The reason of a solve that it stops.
std::string text_of(FloatingLoad const& load);

}  // namespace Tessera::belos
