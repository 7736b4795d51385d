#pragma once
/// \file
/// Preconditioners in one call, in the form of MueLu::CreateTpetraPreconditioner.
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <string>

#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {

/// The preconditioner of A, computed. list: Tessera's parameters, or those of MueLu that docs/translation.md
/// accepts; `multigrid algorithm` chooses the class. The list is not changed. coordinates (nodes x dimension)
/// and nullspace (rows x vectors) may be null; `user data` of the list overrides them. Collective.
/// \throws std::invalid_argument if A is no Tpetra::RowMatrix; also as setParameters() and compute()
Teuchos::RCP<Details::Preconditioner> createTpetraPreconditioner(
    Teuchos::RCP<Tpetra::Operator<> const> const& A, Teuchos::ParameterList const& list = {},
    Teuchos::RCP<Tpetra::MultiVector<> const> const& coordinates = Teuchos::null,
    Teuchos::RCP<Tpetra::MultiVector<> const> const& nullspace = Teuchos::null);

/// Reads the list from an XML file, as readXml().
Teuchos::RCP<Details::Preconditioner> createTpetraPreconditioner(
    Teuchos::RCP<Tpetra::Operator<> const> const& A, std::string const& xml_file,
    Teuchos::RCP<Tpetra::MultiVector<> const> const& coordinates = Teuchos::null,
    Teuchos::RCP<Tpetra::MultiVector<> const> const& nullspace = Teuchos::null);

/// Computes M for new values in the same matrix, or for another matrix; `reuse: type` decides what is kept.
/// Collective. \throws as createTpetraPreconditioner()
void reuseTpetraPreconditioner(Teuchos::RCP<Tpetra::Operator<> const> const& A, Details::Preconditioner& M);

}  // namespace Tessera
