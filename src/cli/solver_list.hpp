#pragma once
/// \file
/// Solver and preconditioner that a Stratimikos list chooses, from a file or a preset (xml_params).
#include <Teuchos_Comm.hpp>
#include <string>

#include "belos/krylov_choice.hpp"
#include "cli/options.hpp"
#include "cli/report.hpp"

namespace Tessera::cli {

/// The choice of one XML file.
struct Choice : ListName {
  belos::KrylovChoice krylov;
  Teuchos::ParameterList parameters;  ///< the preconditioner's sublist of "Preconditioner Types"
};

/// The path of a list: a file as it is, else the preset of that name, with or without .xml. Returns `given`
/// if it is neither.
std::string list_path(std::string const& given);
/// list_path() of rank 0, on every rank. Collective.
/// \throws core::InvalidInput naming the presets, if `given` is neither file nor preset
std::string list_file(std::string const& given, Teuchos::Comm<int> const& comm);

/// Reads and checks a list before the matrix is known. The list of a preconditioner that is not in this build
/// is read, not checked. Collective. \throws core::InvalidInput naming the file and the place in the list;
/// core::Unavailable
Choice read_choice(std::string const& given, Overrides const& overrides, Teuchos::Comm<int> const& comm);

/// \throws core::Unavailable if the preconditioner is not in this build
void require_in_build(Choice const& choice);

/// Replaces the tolerance of the list.
void set_tolerance(Choice& choice, double tolerance);

/// Rethrows the exception that is being handled, of the same kind, with the file's name before its text
/// unless the text has it.
[[noreturn]] void rethrow_naming(std::string const& file);

/// Starts the device on which one of Tessera's preconditioners will run, so that no measured time includes
/// the start. Collective.
void prepare_device(Choice const& choice, Teuchos::Comm<int> const& comm);

/// `number of equations` (ML: `PDE equations`) of the preconditioner's list; 1 if the list has none.
int equations_of(Choice const& choice);

}  // namespace Tessera::cli
