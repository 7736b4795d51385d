#pragma once
/// \file
/// What a Stratimikos list selects, for programs that do not go through Stratimikos.
#include <Teuchos_ParameterList.hpp>
#include <string>

namespace Tessera::parameters {

struct Selection {
  std::string preconditioner;  ///< `Preconditioner Type`: Tessera, ML, MueLu, Ifpack2, None ...
  Teuchos::RCP<Teuchos::ParameterList> preconditioner_parameters;  ///< its sublist; empty where there is none
  std::string solver;  ///< Belos' `Solver Type`, such as Pseudo Block CG; empty where the list does not say
  Teuchos::RCP<Teuchos::ParameterList> solver_parameters;  ///< its sublist; empty where there is none
  bool left_preconditioner = false;                        ///< `Left Preconditioner If Unspecified`
};

/// Reads a Stratimikos list, whose `Linear Solver Type` is Belos or Tessera. A list that has none of
/// Stratimikos' names at its top is one of ours: preconditioner "Tessera", no solver. The sublists returned
/// are those of `list`, named by their path.
/// \throws core::InvalidInput where names of Stratimikos are misspelt, types are wrong, or the linear solver
///         Tessera is given the preconditioner of another package
Selection selection(Teuchos::RCP<Teuchos::ParameterList> const& list);

/// Reads what may stand in "Linear Solver Types" -> "Belos", and in -> "Tessera" alike, into the solver's
/// part of a selection that has no preconditioner. \throws as selection()
Selection solver_selection(Teuchos::RCP<Teuchos::ParameterList> const& list);

/// Checks that a sublist of ours says what parse() accepts, and that a type which is selected has its sublist
/// spelt right. Lists of other packages are left to them.
/// \throws core::InvalidInput
void validate(Selection const& selection);

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
