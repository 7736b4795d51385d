#pragma once
/// \file
/// One function for each preconditioner, each in a unit of its own: these packages take long to compile.
#include "baselines/preconditioner.hpp"

namespace Tessera::baselines {

Preconditioner make_tessera(Teuchos::ParameterList const& list, ProblemData const& data);
Preconditioner make_ifpack2(Teuchos::ParameterList const& list, ProblemData const& data);
Preconditioner make_ml(Teuchos::ParameterList const& list, ProblemData const& data);
Preconditioner make_muelu(Teuchos::ParameterList const& list, ProblemData const& data);

/// Complexities from the levels.
void complete(Info& info);

}  // namespace Tessera::baselines
