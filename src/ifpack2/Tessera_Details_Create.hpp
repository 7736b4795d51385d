#pragma once
/// \file
/// The class that a name or a list of parameters asks for.
#include <Teuchos_ParameterList.hpp>

#include "Tessera_Details_Preconditioner.hpp"

namespace Tessera {
namespace Details {

/// The class that Tessera::Factory knows by this name, in any case; null where that is none of ours. A may be
/// null. Neither initialized nor computed.
Teuchos::RCP<Preconditioner> create(std::string const& name,
                                    Teuchos::RCP<Preconditioner::row_matrix_type const> const& A);
bool isOurs(std::string const& name);
/// Our names, for messages.
std::string ourNames();

/// Of the class that `multigrid algorithm` names, Tessera::SmoothedAggregation where it says nothing; with
/// these parameters, neither initialized nor computed. A may be null. old: taken, with A and the parameters,
/// where it is of that class; null: a new one. \throws as setParameters() does
Teuchos::RCP<Preconditioner> create(Teuchos::ParameterList const& list,
                                    Teuchos::RCP<Preconditioner::row_matrix_type const> const& A,
                                    Teuchos::RCP<Preconditioner> const& old = Teuchos::null);

/// The Stratimikos list that a factory's list is in, and null where its pointer does not know.
Teuchos::RCP<Teuchos::ParameterList> aroundList(Teuchos::RCP<Teuchos::ParameterList> const& list);

/// A copy of a factory's list, in which levels are in double where it is that of a Stratimikos list which
/// names a solver that does not bear float, and does not say a precision. Stratimikos hands sublists over by
/// Teuchos::sublist, whose pointers hold on to the list above.
Teuchos::ParameterList resolveSolverDefaults(Teuchos::RCP<Teuchos::ParameterList> const& list);

}  // namespace Details
}  // namespace Tessera
