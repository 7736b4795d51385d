#pragma once
/// \file
/// Ifpack2's preconditioners by their names.
#include <Ifpack2_Preconditioner.hpp>
#include <Teuchos_ParameterList.hpp>
#include <string>

#include "tpetra/types.hpp"

namespace Tessera::ifpack2 {

using AnyIfpack2 =
    Ifpack2::Preconditioner<tpetra::Scalar, tpetra::LocalOrdinal, tpetra::GlobalOrdinal, tpetra::Node>;

/// That of Ifpack2::Factory, which has got its parameters; neither initialized nor computed. type_name and
/// list_name: what messages call the type and its parameters. Collective.
/// \throws core::InvalidInput for a type that this Ifpack2 has not and a parameter that it does not know,
/// whatever Ifpack2 throws for a value
Teuchos::RCP<AnyIfpack2> ifpack2_by_name(std::string const& type, int overlap,
                                         Teuchos::ParameterList const& parameters,
                                         Teuchos::RCP<tpetra::RowMatrix const> const& A,
                                         std::string const& type_name, std::string const& list_name);

}  // namespace Tessera::ifpack2
