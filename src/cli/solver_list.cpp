#include "cli/solver_list.hpp"

#include "cli/ready_lists.hpp"
#include "core/error.hpp"
#include "ifpack2/backend.hpp"
#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "parameters/xml.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {
namespace {

using Teuchos::ParameterList;

/// The list in which `number of equations` stands.
ParameterList const& settings(Choice const& choice) {
  return choice.parameters.isSublist("ML Settings") ? choice.parameters.sublist("ML Settings")
                                                    : choice.parameters;
}

/// Sets in `list` what the overrides say. name: for messages.
Choice choice_of(Teuchos::RCP<ParameterList> const& list, std::string const& name,
                 Overrides const& overrides) try {
  auto const selection = parameters::selection(list);
  Choice choice;
  choice.file = name;
  choice.krylov = belos::krylov_choice(selection);
  auto& krylov = choice.krylov.parameters;
  if (overrides.tolerance) krylov.set("Convergence Tolerance", *overrides.tolerance);
  if (overrides.max_iterations) krylov.set("Maximum Iterations", *overrides.max_iterations);
  belos::read_limits(choice.krylov);
  choice.preconditioner = selection.preconditioner;
  std::string reason;
  if (!baselines::is_available(choice.preconditioner, &reason)) {
    choice.absent = "preconditioner " + choice.preconditioner + " is not in this build (" + reason + ")";
    return choice;
  }
  auto& own = *selection.preconditioner_parameters;
  if (choice.preconditioner == "Tessera" && !overrides.backend.empty())
    own.set("backend: type", overrides.backend);
  if (choice.preconditioner == "Tessera" && overrides.quiet && !own.isParameter("verbosity"))
    own.set("verbosity", "none");
  parameters::validate(selection);
  if (choice.preconditioner == "Tessera") {
    ifpack2::require_backend(parameters::parse(own));
    parameters::choose_precision(own, choice.krylov.solver, krylov);
  }
  choice.parameters = own;
  return choice;
} catch (...) {
  rethrow_naming(name);
}

}  // namespace

void prepare_device(Choice const& choice, Teuchos::Comm<int> const& comm) {
  if (choice.preconditioner == "Tessera")
    ifpack2::choose_backend(parameters::parse(choice.parameters), tpetra::communicator(comm));
}

void require_in_build(Choice const& choice) {
  if (!choice.absent.empty()) throw core::Unavailable(choice.file + ": " + choice.absent);
}

void hold_to(Choice& choice, double tolerance) {
  choice.krylov.parameters.set("Convergence Tolerance", tolerance);
  belos::read_limits(choice.krylov);
}

int equations_of(Choice const& choice) {
  if (choice.preconditioner == "Tessera") return parameters::parse(choice.parameters).multigrid.equations;
  auto const& list = settings(choice);
  for (auto name : {"number of equations", "PDE equations"})
    if (list.isType<int>(name)) return list.get<int>(name);
  return 1;
}

void rethrow_naming(std::string const& file) {
  auto const named = [&](char const* what) {
    return std::string(what).find(file) == std::string::npos ? file + ": " + what : what;
  };
  try {
    throw;
  } catch (core::InvalidInput const& error) {
    throw core::InvalidInput(named(error.what()));
  } catch (core::Unavailable const& error) {
    throw core::Unavailable(named(error.what()));
  }
}

Choice read_choice(std::string const& given, Overrides const& overrides, Teuchos::Comm<int> const& comm) {
  auto const file = list_file(given, comm);
  auto const list = [&] {
    try {
      return readXml(file, comm);
    } catch (...) {
      rethrow_naming(file);
    }
  }();
  return choice_of(list, file, overrides);
}

}  // namespace Tessera::cli
