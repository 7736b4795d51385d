#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/measure.hpp"
#include "cli/verdict.hpp"
#include "core/error.hpp"
#include "core/version.hpp"
#include "ifpack2/backend.hpp"
#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "parameters/xml.hpp"
#include "tuning/Tessera_Tune.hpp"

namespace Tessera::cli {
namespace {

using core::formatted;
using Json = nlohmann::ordered_json;

std::string percent(double share) {
  return formatted("%.0f %%", 100 * share);
}

std::string text_of(TuneFacts const& facts) {
  auto text = core::message(facts.equations, facts.equations == 1 ? " equation" : " equations", " a node, ");
  if (facts.nullspace > 0)
    text += core::message(facts.nullspace, " near-nullspace vectors");
  else
    text += facts.coordinates ? "coordinates" : "no near-nullspace";
  text += " given; of the couplings " + percent(facts.positive) + " positive, " + percent(facts.weak) +
          " weak (below a quarter of the largest of their row); " + percent(facts.dominant) +
          " of the rows strongly dominated by the diagonal, which varies by " + formatted("%.1e", facts.jump);
  return text + (facts.singular ? "; singular (A times ones is 0)" : "");
}

/// Such as: 1.34 times the fastest.
std::string verdict(TuneTrial const& trial, TuneReport const& report) {
  auto const ending =
      trial.converged() ? "" : std::string(name(trial.status)) + ": " + in_one_line(trial.reason);
  if (!trial.solved() || trial.status != report.trials[report.best].status) return ending;
  auto const& best = report.trials[report.best];
  if (&trial == &best) return ending.empty() ? "fastest" : "fastest; " + ending;
  double const ratio = trial.totalSeconds / best.totalSeconds;
  if (std::abs(ratio - 1) <= tuneNoise) return formatted("within %.0f %% of the fastest", 100 * tuneNoise);
  return formatted("%.2f times the fastest", ratio);
}

std::string measured(TuneReport const& report) {
  auto const& best = report.trials[report.best];
  int const solves = report.solvesPerSetup;
  auto const total = solves == 1 ? std::string("total") : core::message("setup and ", solves, " solves");
  auto const to = best.converged() ? core::message(report.tolerance)
                                   : formatted("the rounding level, %.1e", best.relativeResidual);
  return core::message(best.iterations, " iterations to ", to) +
         formatted(", setup %.3g s, solve %.3g s, %s %.3g s", best.setupSeconds, best.solveSeconds,
                   total.c_str(), best.totalSeconds);
}

/// The lines of the comment above the fastest list.
std::vector<std::string> comment(LinearSystem const& system, TuneReport const& report) {
  auto const& facts = report.facts;
  std::vector<std::string> lines{
      core::message("Found by tessera tune ", core::version(), " for ", system.name, ": ", facts.rows,
                    " rows, ", facts.nonzeros, " nonzeros, ", facts.equations,
                    facts.equations == 1 ? " equation" : " equations", " a node; ", system.rhs, "."),
      core::message("It is ", report.trials[report.best].name, ": ", measured(report), ","),
      core::message("on ", system.comm().getSize(), system.comm().getSize() == 1 ? " rank of " : " ranks of ",
                    omp_get_max_threads(), omp_get_max_threads() == 1 ? " thread" : " threads",
                    "; the fastest of ", report.trials.size(), " lists.")};
  if (facts.nullspace > 0 || facts.coordinates)
    lines.push_back(core::message("It was measured with ", facts.nullspace > 0 ? "a near-nullspace" : "",
                                  facts.nullspace > 0 && facts.coordinates ? " and " : "",
                                  facts.coordinates ? "coordinates" : "", "; give them with it."));
  return lines;
}

/// The text with characters that a comment of XML allows; names of files may have others.
std::string for_comment(std::string text) {
  for (auto& c : text)
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  for (auto at = text.find("--"); at != std::string::npos; at = text.find("--", at))
    text.replace(at, 2, "- -");
  return text;
}

std::string tune_order(TuneReport const& report) {
  std::string lists;
  for (auto const& list : report.order) lists += (lists.empty() ? "" : ", ") + list;
  return text_of(report.facts) + "\norder: " + lists + "\n(" + report.orderReason + ")\n";
}

std::string tune_progress(TuneReport const& report) {
  auto const& trial = report.trials.back();
  auto const text = trial.name + ": ";
  if (!trial.solved()) return text + name(trial.status) + '\n';
  return text + formatted("%d iterations%s, total %.4f s%s\n", trial.iterations,
                          trial.converged() ? "" : " to the rounding level", trial.totalSeconds,
                          trial.improved ? ", the fastest so far" : "");
}

std::string tune_table(TuneReport const& report) {
  std::size_t width = 4;
  for (auto const& trial : report.trials) width = std::max(width, trial.name.size());
  std::string const title = "list";
  auto const padded = [width](std::string const& text) {
    return text + std::string(width - text.size(), ' ');
  };
  std::string text = "\n" + padded(title) +
                     formatted(" %10s %9s %9s %9s %9s  %s\n", "iterations", "setup s", "solve s", "total s",
                               "MB", "verdict");
  text += std::string(text.size() - 2, '-') + '\n';
  for (auto const& trial : report.trials) {
    text += padded(trial.name);
    if (trial.solved())
      text += formatted(" %10d %9.4f %9.4f %9.4f %9.1f  ", trial.iterations, trial.setupSeconds,
                        trial.solveSeconds, trial.totalSeconds, 1e-6 * static_cast<double>(trial.bytes));
    else
      text += formatted(" %10s %9s %9s %9s %9s  ",
                        trial.relativeResidual < 0 ? "-" : std::to_string(trial.iterations).c_str(), "-", "-",
                        "-", "-");
    text += verdict(trial, report) + '\n';
  }
  int const solves = report.solvesPerSetup;
  text += "times are those of the slowest rank, the smallest of several runs; total: setup and ";
  text += solves == 1 ? "one solve" : std::to_string(solves) + " solves";
  return text + formatted(
                    "; lists less than %.0f %% apart are equal, and the earlier one stays; MB: the most "
                    "that setup and solve held, all ranks\n",
                    100 * tuneNoise);
}

Json tune_json(TuneReport const& report) {
  auto const& facts = report.facts;
  Json json;
  json["facts"] = {{"equations", facts.equations},     {"nullspace_vectors", facts.nullspace},
                   {"coordinates", facts.coordinates}, {"positive_share", facts.positive},
                   {"weak_share", facts.weak},         {"dominant_share", facts.dominant},
                   {"diagonal_ratio", facts.jump},     {"singular", facts.singular}};
  json["order"] = report.order;
  json["order_reason"] = report.orderReason;
  json["solves_per_setup"] = report.solvesPerSetup;
  json["best"] = report.found() ? Json(report.trials[report.best].name) : Json(nullptr);
  json["trials"] = Json::array();
  for (auto const& trial : report.trials) {
    Json one = {{"list", trial.name},     {"status", name(trial.status)},
                {"reason", trial.reason}, {"iterations", trial.iterations},
                {"runs", trial.runs},     {"bytes", trial.bytes}};
    one["relative_residual"] = trial.relativeResidual < 0 ? Json(nullptr) : Json(trial.relativeResidual);
    using Named = std::pair<char const*, double>;
    for (auto const& [key, value] :
         {Named{"setup_seconds", trial.setupSeconds}, Named{"solve_seconds", trial.solveSeconds},
          Named{"total_seconds", trial.totalSeconds}})
      one[key] = trial.solved() ? Json(value) : Json(nullptr);
    json["trials"].push_back(std::move(one));
  }
  return json;
}

std::string tune_xml(LinearSystem const& system, TuneReport const& report) {
  std::ostringstream text;
  auto const lines = comment(system, report);
  for (auto const& line : lines)
    text << (&line == &lines.front() ? "<!-- " : "     ") << for_comment(line)
         << (&line == &lines.back() ? " -->\n" : "\n");
  parameters::write_xml(text, *report.list, "Stratimikos");
  parameters::validate(
      parameters::selection(parameters::parse_xml(text.str(), report.trials[report.best].name)));
  return text.str();
}

// The command.

/// Refuses missing back ends before the matrix is read.
void require_backends(Options const& options) {
  for (auto const& backend : options.backends) {
    Teuchos::ParameterList list("--backend");
    list.set("backend: type", backend);
    ifpack2::require_backend(parameters::parse(list));
  }
}

void print_if(bool prints, std::FILE* stream, std::string const& text) {
  if (!prints) return;
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
  bool const prints = comm->getRank() == 0 && !options.quiet;
  TESSERA_VALIDATE(system.b->getNumVectors() == 1, options.problem.rhs, ": has ", system.b->getNumVectors(),
                   " columns, but lists are tried with one right-hand side: give a file of one column");
  auto wanted = asked(options, system);
  wanted.told = [&](TuneReport const& report) {
    if (report.trials.empty())
      print_if(prints, stdout, headline(figures_of(system), wanted.tolerance) + tune_order(report));
    else
      print_if(prints && options.progress.value_or(true), stderr, tune_progress(report));
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

  print_if(prints, stdout, tune_table(report));
  auto json = system_json(figures_of(system));  // collective
  json.update(tune_json(report));
  write_file(options.json, json_text(json), comm);
  if (!report.found()) {
    if (comm->getRank() == 0) print(ending);
    return ending.status;
  }
  write_file(options.out, tune_xml(system, report), comm);
  auto const& best = report.trials[report.best];
  if (!best.converged())
    print_if(prints, stdout,
             "no list goes below the rounding level of this system, so the fastest to reach it counts: " +
                 best.reason + '\n');
  print_if(prints, stdout, best.name + " is in " + options.out + '\n');
  return converged;
}

}  // namespace Tessera::cli
