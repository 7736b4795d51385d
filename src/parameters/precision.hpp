#pragma once
/// \file
/// Which Krylov methods bear a preconditioner whose levels are in float.
#include <Teuchos_ParameterList.hpp>
#include <string>

namespace Tessera::parameters {

/// Whether a method of Belos is conjugate gradients or flexible. These add up what M^-1 returned, so that
/// they know A x however that was rounded. Others rely on a linear M^-1: GMRES ends with x = M^-1 (V y), and
/// the rounding of that one product to float leaves a relative residual of cond(A) 2^-24, whatever the
/// tolerance. solver: a `Solver Type`; own: its sublist.
bool supports_single(std::string const& solver, Teuchos::ParameterList const& own);

/// Whether a method of Belos bears a preconditioner that is not linear, as a K-cycle.
bool is_flexible(std::string const& solver, Teuchos::ParameterList const& own);

/// Sets `precision: hierarchy` to double in a preconditioner's list that does not say it, where the solver
/// beside it does not bear float.
void choose_precision(Teuchos::ParameterList& preconditioner, std::string const& solver,
                      Teuchos::ParameterList const& own);

}  // namespace Tessera::parameters
