#pragma once
/// \file
/// The table as Teuchos validators.
#include <Teuchos_ParameterList.hpp>

namespace Tessera::parameters {

/// Every name (aliases too) with default, documentation and validator, for programs that check or document
/// lists with Teuchos' own means. The entries are marked as defaults, so that parse() ignores those which
/// validateParametersAndSetDefaults copied.
Teuchos::RCP<Teuchos::ParameterList const> valid_parameters();

}  // namespace Tessera::parameters
