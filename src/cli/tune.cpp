#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"
#include "cli/tune_report.hpp"
#include "cli/verdict.hpp"
#include "core/error.hpp"
#include "ifpack2/backend.hpp"
#include "parameters/parse.hpp"

namespace Tessera::cli {
namespace {

/// Refuses back ends that there are not, before the matrix is read.
void require_backends(Options const& options) {
  for (auto const& backend : options.backends) {
    Teuchos::ParameterList list("--backend");
    list.set("backend: type", backend);
    ifpack2::require_backend(parameters::parse(list));
  }
}

void print(std::FILE* stream, bool speaks, std::string const& text) {
  if (!speaks) return;
  std::fputs(text.c_str(), stream);
  std::fflush(stream);
}

TuneOptions asked(Options const& options, LinearSystem const& system) {
  TuneOptions asked;
  asked.seconds = options.seconds;
  asked.solvesPerSetup = options.solves_per_setup;
  asked.bytes = static_cast<std::size_t>(1e6 * options.megabytes);
  asked.tolerance = options.overrides.tolerance.value_or(asked.tolerance);
  asked.maxIterations = options.overrides.max_iterations.value_or(asked.maxIterations);
  asked.backends = options.backends;
  asked.equations = system.data.equations;
  asked.nearNullspace = system.data.nullspace;
  asked.coordinates = system.data.coordinates;
  asked.b = system.b;
  return asked;
}

}  // namespace

int run_tune(Options const& options, Comm const& comm) {
  require_outputs(options, comm);
  require_backends(options);
  auto const system = make_system(options.problem, 1, comm);
  bool const speaks = comm->getRank() == 0 && !options.quiet;
  TESSERA_VALIDATE(system.b->getNumVectors() == 1, options.problem.rhs, ": has ", system.b->getNumVectors(),
                   " columns, but lists are tried with one right-hand side: give a file of one column");
  auto wanted = asked(options, system);
  wanted.told = [&](TuneReport const& report) {
    if (report.trials.empty())
      print(stdout, speaks, headline(system, wanted.tolerance) + tune_order(report));
    else
      print(stderr, speaks && options.progress.value_or(true), tune_progress(report));
  };
  Ending ending;
  auto const report = [&] {
    try {
      return tune(system.data.matrix, wanted);
    } catch (TuneError const& error) {
      ending = {not_converged, std::string(error.what()) + "; no list is written"};
      return error.report();
    }
  }();

  print(stdout, speaks, tune_table(report));
  auto json = problem_json(system);  // collective
  json.update(tune_json(report));
  write_file(options.json, json_text(json), comm);
  if (!report.found()) {
    if (comm->getRank() == 0) say(ending);
    return ending.status;
  }
  write_file(options.out, tune_xml(system, report), comm);
  auto const& best = report.trials[report.best];
  if (!best.converged())
    print(stdout, speaks,
          "no list goes below the rounding level of this system, so the fastest to reach it counts: " +
              best.reason + '\n');
  print(stdout, speaks, best.name + " is in " + options.out + '\n');
  return converged;
}

}  // namespace Tessera::cli
