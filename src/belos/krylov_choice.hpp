#pragma once
/// \file
/// The Krylov method that a list chooses, and the parameters of Tessera's solver managers, named as in Belos.
#include <Teuchos_ParameterList.hpp>
#include <string>

#include "krylov/conjugate_gradients.hpp"
#include "parameters/agreement.hpp"
#include "parameters/selection.hpp"

namespace Tessera::belos {

/// A parsed list of "Linear Solver Types" -> "Belos" or "Tessera".
struct KrylovChoice {
  std::string solver = "Pseudo Block CG";
  Teuchos::ParameterList parameters;  ///< of that solver
  bool left_preconditioner = false;
  double tolerance = 1e-8;         ///< relative to ||b||
  bool relative_to_start = false;  ///< the tolerance is relative to the initial ||b - A x|| instead
  int max_iterations = 1000;
  krylov::Test test = krylov::Test::relative;  ///< only Tessera's conjugate gradients support row_wise
  double absolute_tolerance = 0;               ///< of the tests that have one
};

/// Parses the solver's part of a list. \throws core::InvalidInput for parameters that the solver lacks
KrylovChoice krylov_choice(parameters::Selection const& selection);

/// Rejects parameters that the solver lacks: some solver managers ignore them silently.
/// \throws core::InvalidInput with the path in the list
void validate(KrylovChoice const& choice);

/// Whether this names one of Tessera's methods.
bool is_ours(std::string const& solver);
/// The choice with Tessera's conjugate gradients instead of Belos' "Pseudo Block CG", unless the list has
/// parameters that they lack.
KrylovChoice with_our_solver(KrylovChoice choice, bool flexible);

/// Reads the tolerance and the maximum number of iterations again, after a change of the solver's parameters.
/// \throws core::InvalidInput for values out of range
void read_limits(KrylovChoice& choice);

/// The settings that must be equal on all ranks; output settings are not among them.
parameters::NamedSettings said(KrylovChoice const& choice);

/// Every parameter of Tessera's solver managers with its default, validator and documentation.
Teuchos::RCP<Teuchos::ParameterList const> manager_parameters();

/// The stopping criterion.
struct Stopping {
  krylov::Test test = krylov::Test::relative;
  double absolute_tolerance = 0;
};

/// Names of the parameters of the stopping criterion, and the value for each test.
char const* const stopping_test = "stopping: test";
char const* const stopping_tolerance = "stopping: absolute tolerance";
char const* name(krylov::Test test);

/// The stopping criterion of a list, or the default. \throws core::InvalidInput
Stopping stopping(Teuchos::ParameterList const& list);

/// list: complete, with a value for each parameter.
krylov::Parameters solver_parameters(Teuchos::ParameterList const& list, bool flexible);

}  // namespace Tessera::belos
