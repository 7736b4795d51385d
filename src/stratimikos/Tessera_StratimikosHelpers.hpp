#pragma once
/// \file
/// Registration of Tessera with Stratimikos, in the manner of Stratimikos::enableMueLu.
#include <Stratimikos_DefaultLinearSolverBuilder.hpp>
#include <Teuchos_AbstractFactoryStd.hpp>

#include "Tessera_ThyraLinearOpWithSolveFactory.hpp"
#include "Tessera_ThyraPreconditionerFactory.hpp"

namespace Stratimikos {

/// Adds the preconditioner type `name`, whose sublist of "Preconditioner Types" is a list of Tessera's, and
/// the linear solver type `name`, whose sublist of "Linear Solver Types" is a list of Belos'. The solver runs
/// on the preconditioner's back end. Call this function before the builder's setParameterList(). \throws
/// std::logic_error if the builder has a type of this name
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
void enableTessera(DefaultLinearSolverBuilder& builder, std::string const& name = "Tessera") {
  for (std::string const kind : {"Preconditioner", "Linear Solver"}) {
    auto const known = Teuchos::sublist(builder.getValidParameters(), kind + " Types");
    if (known->isParameter(name))
      throw std::logic_error("Stratimikos::enableTessera: the builder already has a \"" + kind +
                             " Type\" \"" + name + "\" (names are unique); give another name.");
  }
  using Preconditioners = Tessera::ThyraPreconditionerFactory<LocalOrdinal, GlobalOrdinal, Node>;
  builder.setPreconditioningStrategyFactory(
      Teuchos::abstractFactoryStd<Thyra::PreconditionerFactoryBase<double>, Preconditioners>(), name);
  using Solvers = Tessera::ThyraLinearOpWithSolveFactory<LocalOrdinal, GlobalOrdinal, Node>;
  builder.setLinearSolveStrategyFactory(
      Teuchos::abstractFactoryStd<Thyra::LinearOpWithSolveFactoryBase<double>, Solvers>(), name);
}

}  // namespace Stratimikos
