#pragma once
/// \file
/// Makes Tessera known to Stratimikos, as Stratimikos::enableMueLu does for MueLu.
#include <Stratimikos_DefaultLinearSolverBuilder.hpp>
#include <Teuchos_AbstractFactoryStd.hpp>

#include "Tessera_ThyraPreconditionerFactory.hpp"

namespace Stratimikos {

/// Adds the preconditioner type `name`, whose sublist in "Preconditioner Types" is a list of Tessera's. To be
/// called before the builder's setParameterList. \throws std::logic_error where the name is taken
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
void enableTessera(DefaultLinearSolverBuilder& builder, std::string const& name = "Tessera") {
  auto const known = Teuchos::sublist(builder.getValidParameters(), "Preconditioner Types");
  TEUCHOS_TEST_FOR_EXCEPTION(known->isParameter(name), std::logic_error,
                             "Stratimikos::enableTessera: the builder has a preconditioner type \""
                                 << name << "\" already; give another name.");
  using Base = Thyra::PreconditionerFactoryBase<double>;
  using Ours = Tessera::ThyraPreconditionerFactory<LocalOrdinal, GlobalOrdinal, Node>;
  builder.setPreconditioningStrategyFactory(Teuchos::abstractFactoryStd<Base, Ours>(), name);
}

}  // namespace Stratimikos
