#pragma once
/// \file
/// Solver and preconditioner that a Stratimikos list selects, for programs that do not use Stratimikos; the
/// precision that suits the solver.
#include <Teuchos_ParameterList.hpp>
#include <string>

namespace Tessera::parameters {

struct Selection {
  std::string preconditioner;  ///< `Preconditioner Type`: Tessera, ML, MueLu, Ifpack2, None ...
  Teuchos::RCP<Teuchos::ParameterList> preconditioner_parameters;  ///< its sublist; empty if there is none
  std::string solver;  ///< Belos' `Solver Type`, such as Pseudo Block CG; empty if not given
  Teuchos::RCP<Teuchos::ParameterList> solver_parameters;  ///< its sublist; empty if there is none
  bool left_preconditioner = false;                        ///< `Left Preconditioner If Unspecified`
};

/// Reads a Stratimikos list whose `Linear Solver Type` is Belos or Tessera. A list without any of
/// Stratimikos' names at its top is one of Tessera's: preconditioner "Tessera", no solver. The result shares
/// the sublists of `list`, named by their path.
/// \throws core::InvalidInput for misspelt names of Stratimikos, wrong types, and the linear solver Tessera
///         with the preconditioner of another package
Selection selection(Teuchos::RCP<Teuchos::ParameterList> const& list);

/// Reads a list of "Linear Solver Types" -> "Belos" or "Tessera" into the solver's part of a selection
/// without preconditioner. \throws as selection()
Selection solver_selection(Teuchos::RCP<Teuchos::ParameterList> const& list);

/// Checks the preconditioner's sublist by parse() if it is Tessera's. Other packages check their own.
/// \throws core::InvalidInput
void validate(Selection const& selection);

/// Whether a method of Belos supports a preconditioner in single precision. Conjugate gradients and flexible
/// methods do: they sum the vectors that M^-1 returned, so that A x stays known after rounding. Other methods
/// rely on a linear M^-1: GMRES ends with x = M^-1 (V y). The rounding of that product to float leaves a
/// relative residual of cond(A) 2^-24, whatever the tolerance. solver: a `Solver Type`; own: its sublist.
bool supports_single(std::string const& solver, Teuchos::ParameterList const& own);

/// Whether a method of Belos supports a nonlinear preconditioner, such as a K-cycle.
bool is_flexible(std::string const& solver, Teuchos::ParameterList const& own);

/// Sets `precision: hierarchy` to double in a preconditioner's list that has no value, if the solver does not
/// support single precision.
void choose_precision(Teuchos::ParameterList& preconditioner, std::string const& solver,
                      Teuchos::ParameterList const& own);

}  // namespace Tessera::parameters
