#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"
#include "cli/tune_report.hpp"
#include "cli/verdict.hpp"
#include "core/error.hpp"
#include "ifpack2/report.hpp"

namespace Tessera::cli {
namespace {

/// Refuses what no list could do, before the matrix is read. Returns the tolerance.
double require_possible(Options const& options, Comm const& comm) {
  auto overrides = options.overrides;
  overrides.quiet = true;
  return read_choice("sa_amg", overrides, *comm).krylov.tolerance;
}

void print(std::FILE* stream, bool speaks, std::string const& text) {
  if (!speaks) return;
  std::fputs(text.c_str(), stream);
  std::fflush(stream);
}

std::string order_text(MatrixFacts const& facts, Plan const& plan) {
  std::string lists;
  for (auto const& list : plan.lists) lists += (lists.empty() ? "" : ", ") + list;
  return words(facts) + "\norder: " + lists + "\n(" + plan.why + ")\n";
}

std::string progress(Trial const& trial) {
  auto text = trial.candidate.name + ": ";
  if (!trial.converged()) return text + name(trial.end) + '\n';
  return text + ifpack2::formatted("%d iterations, total %.4f s%s\n", trial.iterations, trial.total,
                                   trial.improved ? ", the fastest so far" : "");
}

}  // namespace

int run_tune(Options const& options, Comm const& comm) {
  require_outputs(options, comm);
  double const tolerance = require_possible(options, comm);
  auto const system = make_system(options.problem, 1, comm);
  bool const speaks = comm->getRank() == 0 && !options.quiet;
  auto const facts = look_at(system);
  auto const lists = plan(facts);
  print(stdout, speaks, headline(system, tolerance) + order_text(facts, lists));

  std::vector<Candidate> candidates;
  for (auto const& list : lists.lists)
    candidates.push_back(ready_candidate(list, options.overrides, facts.equations, *comm));
  int const solves = options.solves_per_setup;
  auto const tuning = tune(system, candidates, {options.seconds, solves},
                           [&](Trial const& trial) { print(stderr, speaks, progress(trial)); });

  print(stdout, speaks, tune_table(tuning, solves));
  auto json = problem_json(system);  // collective
  json.update(tune_json(facts, lists, tuning, solves));
  write_file(options.json, json_text(json), comm);
  if (!tuning.found()) {
    if (comm->getRank() == 0) say({not_converged, nothing_found(tuning)});
    return not_converged;
  }
  auto const& best = tuning.trials[tuning.best].candidate;
  write_file(options.out, checked_xml(best, tune_comment(system, facts, tuning, solves)), comm);
  print(stdout, speaks, best.name + " is in " + options.out + '\n');
  return converged;
}

}  // namespace Tessera::cli
