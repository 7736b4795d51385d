#pragma once
/// \file
/// Which of Ifpack2's preconditioners are symmetric operators.
#include <Teuchos_ParameterList.hpp>
#include <string>

namespace Tessera::parameters {

/// Whether M is known to be symmetric where A is, of Ifpack2's type with these parameters: no triangular
/// sweeps in one direction, no thresholds, no overlap whose values are taken from one rank alone.
bool symmetric_in_ifpack2(std::string const& type, Teuchos::ParameterList const& parameters);

}  // namespace Tessera::parameters
