#include "cli/solver_list.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <filesystem>
#include <vector>

#include "baselines/preconditioner.hpp"
#include "core/error.hpp"
#include "ifpack2/backend.hpp"
#include "parameters/messages.hpp"
#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "parameters/xml.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {
namespace {

using Teuchos::ParameterList;
namespace fs = std::filesystem;

char const* const ending = ".xml";

fs::path folder() {
  std::error_code unknown;
  auto const program = fs::read_symlink("/proc/self/exe", unknown);
  return (program.parent_path() / TESSERA_LISTS).lexically_normal();
}

std::vector<std::string> preset_names() {
  std::vector<std::string> found;
  std::error_code unknown;
  for (auto const& entry : fs::directory_iterator(folder(), unknown))
    if (entry.path().extension() == ending) found.push_back(entry.path().stem().string());
  std::sort(found.begin(), found.end());
  return found;
}

bool exists(std::string const& file) {
  std::error_code unknown;
  return fs::exists(file, unknown);
}

std::string without_ending(std::string const& given) {
  bool const ends = fs::path(given).extension() == ending;
  return ends ? given.substr(0, given.size() - std::string(ending).size()) : given;
}

/// The list that has `number of equations`.
ParameterList const& settings(Choice const& choice) {
  return choice.parameters.isSublist("ML Settings") ? choice.parameters.sublist("ML Settings")
                                                    : choice.parameters;
}

/// Applies the overrides to `list`. name: for messages.
Choice choice_of(Teuchos::RCP<ParameterList> const& list, std::string const& name,
                 Overrides const& overrides) {
  try {
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
}

}  // namespace

std::string presets_text() {
  auto const found = preset_names();
  if (found.empty()) return "there are no presets in " + folder().string();
  std::string text;
  for (auto const& name : found) text += (text.empty() ? "" : ", ") + name;
  return "the presets in " + folder().string() + " are " + text;
}

std::string list_path(std::string const& given) {
  if (exists(given)) return given;
  auto const known = preset_names();
  auto const name = without_ending(given);
  bool const ready = std::find(known.begin(), known.end(), name) != known.end();
  return ready ? (folder() / (name + ending)).string() : given;
}

std::string list_file(std::string const& given, Teuchos::Comm<int> const& comm) {
  std::string file;
  comm::agree_on_errors(tpetra::communicator(comm), [&] {
    if (comm.getRank() != 0) return;
    file = list_path(given);
    TESSERA_VALIDATE(exists(file), given, ": there is no such file, and no preset of that name",
                     parameters::hint(without_ending(given), preset_names()), "; ", presets_text());
  });
  auto size = static_cast<int>(file.size());
  Teuchos::broadcast(comm, 0, &size);
  file.resize(static_cast<std::size_t>(size));
  Teuchos::broadcast(comm, 0, size, file.data());
  return file;
}

void prepare_device(Choice const& choice, Teuchos::Comm<int> const& comm) {
  if (choice.preconditioner == "Tessera")
    ifpack2::choose_backend(parameters::parse(choice.parameters), tpetra::communicator(comm));
}

void require_in_build(Choice const& choice) {
  if (!choice.absent.empty()) throw core::Unavailable(choice.file + ": " + choice.absent);
}

void set_tolerance(Choice& choice, double tolerance) {
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
