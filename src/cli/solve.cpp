#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands.hpp"
#include "cli/measure.hpp"
#include "cli/output.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"
#include "core/error.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::cli {
namespace {

nlohmann::ordered_json joined(LinearSystem const& system, Measurement const& measurement) {
  auto json = problem_json(system);
  json.update(measurement_json(measurement));
  return json;
}

}  // namespace

int run_solve(Options const& options, Comm const& comm) {
  require_outputs(options, comm);
  Measurement measurement;
  measurement.choice = read_choice(options.xml.front(), options.overrides, *comm);
  require_in_build(measurement.choice);
  for (auto const& [option, file] : {std::pair("--save", options.save), std::pair("--load", options.load),
                                     std::pair("--export", options.folder)})
    TESSERA_VALIDATE(file.empty() || measurement.choice.preconditioner == "Tessera", option,
                     " would have no effect: ", measurement.choice.file, " asks for ",
                     measurement.choice.preconditioner,
                     ", and only setups of Tessera's go to files; leave it out");
  measurement.save = options.save;
  measurement.folder = options.folder;
  auto system = make_system(options.problem, equations_of(measurement.choice), comm);
  system.data.saved = options.load;
  auto const x =
      Teuchos::rcp(new baselines::MultiVector(system.data.matrix->getDomainMap(), system.b->getNumVectors()));
  bool const speaks = comm->getRank() == 0 && !options.quiet;
  if (speaks) std::fputs(headline(system, measurement.choice.krylov.tolerance).c_str(), stdout);
  std::fflush(stdout);
  prepare_device(measurement.choice, *comm);
  auto progress = progress_of(options, *comm, options.repeats);
  for (int i = 0; i < options.repeats; ++i)
    repeat(measurement, system, x, !options.history.empty(), progress);

  auto const json = joined(system, measurement);  // collective
  if (speaks) std::fputs((summary(measurement) + measurement.exported).c_str(), stdout);
  write_file(options.json, json_text(json), comm);
  write_file(options.history, history_text(measurement), comm);
  if (!options.solution.empty()) tpetra::write_dense(options.solution, *x);
  return measurement.result.exit_status;
}

}  // namespace Tessera::cli
