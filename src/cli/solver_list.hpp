#pragma once
/// \file
/// What a Stratimikos list says of solver and preconditioner.
#include <Teuchos_Comm.hpp>
#include <optional>
#include <string>

#include "baselines/preconditioner.hpp"
#include "belos/krylov_choice.hpp"

namespace Tessera::cli {

/// One XML file's choice.
struct Choice {
  std::string file;  ///< its path
  belos::KrylovChoice krylov;
  std::string preconditioner = "None";  ///< "Preconditioner Type"
  Teuchos::ParameterList parameters;    ///< its sublist of "Preconditioner Types"
  std::string absent;                   ///< why the preconditioner is not in this build; empty: it is
};

/// What the command line puts above the XML.
struct Overrides {
  std::optional<double> tolerance;
  std::optional<int> max_iterations;
  std::string backend;  ///< empty: as the XML says
  bool quiet = false;   ///< Tessera prints nothing unless the XML says so
};

/// Reads and checks a file or the ready list of that name; everything that can be refused without the matrix
/// is refused here. The list of a preconditioner that is not in this build is read, not checked. Collective.
/// \throws core::InvalidInput naming the file and the place in the list; core::Unavailable
Choice read_choice(std::string const& given, Overrides const& overrides, Teuchos::Comm<int> const& comm);

/// \throws core::Unavailable where the preconditioner is not in this build
void require_in_build(Choice const& choice);

/// Puts a tolerance above what the list says.
void hold_to(Choice& choice, double tolerance);

/// Throws the error that is being handled again as one of the same kind that names the file, where it does
/// not yet.
[[noreturn]] void rethrow_naming(std::string const& file);

/// Takes hold of the device that a preconditioner of ours will run on, so that its start is in nobody's time.
/// Collective.
void prepare_device(Choice const& choice, Teuchos::Comm<int> const& comm);

/// `number of equations` (ML: `PDE equations`) of the preconditioner's list; 1 if it does not say.
int equations_of(Choice const& choice);

}  // namespace Tessera::cli
