#pragma once
/// \file
/// The parameters of Tessera's solver managers, named as Belos names its own.
#include <Teuchos_ParameterList.hpp>

#include "krylov/conjugate_gradients.hpp"

namespace Tessera::belos {

/// Every parameter with its default, validator and documentation.
Teuchos::RCP<Teuchos::ParameterList const> manager_parameters();

/// What a complete list says.
krylov::Parameters solver_parameters(Teuchos::ParameterList const& list, bool flexible);

}  // namespace Tessera::belos
