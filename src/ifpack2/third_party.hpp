#pragma once
/// \file
/// Ifpack2's preconditioners by name and as smoothers, and Amesos2's solvers: the parts that a hierarchy
/// takes from other packages.
#include <Ifpack2_Preconditioner.hpp>
#include <Teuchos_ParameterList.hpp>
#include <string>

#include "parameters/settings.hpp"
#include "sparse/engine/direct/direct_solver.hpp"
#include "tpetra/types.hpp"

namespace Tessera::ifpack2 {

/// The solver of that name. Each matrix is one of a communicator of its rank alone: on distributed matrices
/// Debian's Amesos2 of Trilinos 13.2 solves wrongly.
/// \throws core::Unavailable where this Trilinos has no Amesos2, or Amesos2 no such solver
sparse::DirectSolvers<Host> amesos2_solvers(std::string const& name);

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

/// The settings of a hierarchy with who make its foreign smoothers and direct solver.
/// \throws core::Unavailable where this Trilinos has no such solver
multigrid::Parameters with_foreign_parts(parameters::Settings const& settings);

}  // namespace Tessera::ifpack2
