#pragma once
/// \file
/// The parameters of Tessera's solver managers, named as Belos names its own.
#include <Teuchos_ParameterList.hpp>
#include <iosfwd>

#include "krylov/conjugate_gradients.hpp"

namespace Tessera::belos {

/// Every parameter with its default, validator and documentation.
Teuchos::RCP<Teuchos::ParameterList const> manager_parameters();

/// What a complete list says.
krylov::Parameters solver_parameters(Teuchos::ParameterList const& list, bool flexible);

/// What is printed, and where.
struct Printing {
  bool warnings, final_summary, iterations;
  int every;  ///< so many iterations a line
  Teuchos::RCP<std::ostream> stream;
};
Printing printing(Teuchos::ParameterList const& list);

}  // namespace Tessera::belos
