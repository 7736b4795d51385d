#pragma once
/// \file
/// Ifpack2's preconditioners by name and as smoothers, and Amesos2's solvers: the parts that a hierarchy
/// takes from other packages.
#include <Ifpack2_Preconditioner.hpp>
#include <Teuchos_ParameterList.hpp>
#include <string>

#include "settings/settings.hpp"
#include "sparse/engine/direct/direct_solver.hpp"
#include "tpetra/types.hpp"

namespace Tessera::ifpack2 {

/// The solver of this name. Each matrix is on a communicator of one rank, because Debian's Amesos2 of
/// Trilinos 13.2 gives wrong results for distributed matrices. \throws core::Unavailable if this Trilinos has
/// no Amesos2, or Amesos2 has no such solver
sparse::DirectSolvers<Host> amesos2_solvers(std::string const& name);

using AnyIfpack2 =
    Ifpack2::Preconditioner<tpetra::Scalar, tpetra::LocalOrdinal, tpetra::GlobalOrdinal, tpetra::Node>;

/// A preconditioner of Ifpack2::Factory with its parameters set; neither initialized nor computed. type_name,
/// list_name: names of the type and its parameters in messages. Collective. \throws core::InvalidInput for a
/// type or a parameter that this Ifpack2 does not have; also exceptions of Ifpack2 for values
Teuchos::RCP<AnyIfpack2> ifpack2_by_name(std::string const& type, int overlap,
                                         Teuchos::ParameterList const& parameters,
                                         Teuchos::RCP<tpetra::RowMatrix const> const& A,
                                         std::string const& type_name, std::string const& list_name);

/// The parameters of a hierarchy, with the factories of third-party smoothers and of the direct solver.
/// \throws core::Unavailable if this Trilinos has no such solver
multigrid::Parameters with_foreign_parts(settings::Settings const& settings);

}  // namespace Tessera::ifpack2
