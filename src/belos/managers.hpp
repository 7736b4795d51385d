#pragma once
/// \file
/// Belos' own managers for Tessera's vectors; a unit each, since they take ten seconds to compile.
#include <BelosSolverManager.hpp>

#include "Tessera_BelosTraits.hpp"

namespace Tessera::belos {

using ResidentManager = Belos::SolverManager<double, ResidentMultiVector, ResidentOperator>;

Teuchos::RCP<ResidentManager> make_pseudo_block_cg();
Teuchos::RCP<ResidentManager> make_block_cg();
Teuchos::RCP<ResidentManager> make_pseudo_block_gmres();
Teuchos::RCP<ResidentManager> make_block_gmres();

}  // namespace Tessera::belos
