#pragma once
/// \file
/// Makes Tessera known to Stratimikos, as Stratimikos::enableMueLu does for MueLu.
#include <Stratimikos_DefaultLinearSolverBuilder.hpp>
#include <Teuchos_AbstractFactoryStd.hpp>

#include "Tessera_ThyraLinearOpWithSolveFactory.hpp"
#include "Tessera_ThyraPreconditionerFactory.hpp"

namespace Stratimikos {

/// Adds the preconditioner type `name`, whose sublist in "Preconditioner Types" is a list of Tessera's, and
/// the linear solver type `name`, whose sublist in "Linear Solver Types" is one of Belos': whole solves where
/// the preconditioner lies. To be called before the builder's setParameterList. \throws std::logic_error
/// where a name is taken
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
void enableTessera(DefaultLinearSolverBuilder& builder, std::string const& name = "Tessera") {
  for (std::string const kind : {"Preconditioner", "Linear Solver"}) {
    auto const known = Teuchos::sublist(builder.getValidParameters(), kind + " Types");
    if (known->isParameter(name))
      throw std::logic_error("Stratimikos::enableTessera: the builder has a \"" + kind +
                             " Type\" of the name \"" + name + "\" already; give another name.");
  }
  using Preconditioners = Tessera::ThyraPreconditionerFactory<LocalOrdinal, GlobalOrdinal, Node>;
  builder.setPreconditioningStrategyFactory(
      Teuchos::abstractFactoryStd<Thyra::PreconditionerFactoryBase<double>, Preconditioners>(), name);
  using Solvers = Tessera::ThyraLinearOpWithSolveFactory<LocalOrdinal, GlobalOrdinal, Node>;
  builder.setLinearSolveStrategyFactory(
      Teuchos::abstractFactoryStd<Thyra::LinearOpWithSolveFactoryBase<double>, Solvers>(), name);
}

}  // namespace Stratimikos
