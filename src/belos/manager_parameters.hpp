#pragma once
/// \file
/// The parameters of Tessera's solver managers, named as Belos names its own.
#include <Teuchos_ParameterList.hpp>

#include "krylov/conjugate_gradients.hpp"

namespace Tessera::belos {

/// Every parameter with its default, validator and documentation.
Teuchos::RCP<Teuchos::ParameterList const> manager_parameters();

/// When solves end.
struct Stopping {
  krylov::Test test = krylov::Test::relative;
  double absolute_tolerance = 0;
};

/// The parameters that say it, and their word for a test.
char const* const stopping_test = "stopping: test";
char const* const stopping_tolerance = "stopping: absolute tolerance";
char const* name(krylov::Test test);

/// What a list says of it, or the defaults. \throws core::InvalidInput
Stopping stopping(Teuchos::ParameterList const& list);

/// What a complete list says.
krylov::Parameters solver_parameters(Teuchos::ParameterList const& list, bool flexible);

}  // namespace Tessera::belos
