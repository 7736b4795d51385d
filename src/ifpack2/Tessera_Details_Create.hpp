#pragma once
/// \file
/// The class that a list of parameters asks for.
#include "Tessera_Details_Preconditioner_decl.hpp"

namespace Tessera {
namespace Details {

/// Tessera::Fsai where `multigrid algorithm` is fsai, else Tessera::SmoothedAggregation; with these
/// parameters, neither initialized nor computed. A may be null. old: taken, with A and the parameters, where
/// it is of that class; null: a new one. \throws as setParameters() does
Teuchos::RCP<Preconditioner<Tpetra::RowMatrix<>>> create(
    Teuchos::ParameterList const& list, Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
    Teuchos::RCP<Preconditioner<Tpetra::RowMatrix<>>> const& old = Teuchos::null);

}  // namespace Details
}  // namespace Tessera
