#include "cli/tune_report.hpp"

#include <omp.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.hpp"
#include "core/version.hpp"
#include "ifpack2/report.hpp"

namespace Tessera::cli {
namespace {

using ifpack2::formatted;
using Json = nlohmann::ordered_json;

std::string in_one_line(std::string const& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// Such as: 1.34 times the fastest.
std::string verdict(Trial const& trial, Tuning const& tuning) {
  if (!trial.converged()) return std::string(name(trial.end)) + ": " + in_one_line(trial.reason);
  auto const& best = tuning.trials[tuning.best];
  if (&trial == &best) return "fastest";
  double const ratio = trial.total / best.total;
  if (std::abs(ratio - 1) <= noise) return formatted("within %.0f %% of the fastest", 100 * noise);
  return formatted("%.2f times the fastest", ratio);
}

std::string measured(Trial const& trial, int solves_per_setup) {
  auto const solves =
      solves_per_setup == 1 ? std::string("total") : core::message("setup and ", solves_per_setup, " solves");
  return core::message(trial.iterations, " iterations to ", trial.tolerance) +
         formatted(", setup %.3g s, solve %.3g s, %s %.3g s", trial.setup, trial.solve, solves.c_str(),
                   trial.total);
}

}  // namespace

std::string tune_table(Tuning const& tuning, int solves_per_setup) {
  std::size_t width = 4;
  for (auto const& trial : tuning.trials) width = std::max(width, trial.candidate.name.size());
  std::string const title = "list";
  auto const padded = [width](std::string const& text) {
    return text + std::string(width - text.size(), ' ');
  };
  std::string text =
      "\n" + padded(title) +
      formatted(" %10s %9s %9s %9s  %s\n", "iterations", "setup s", "solve s", "total s", "verdict");
  text += std::string(text.size() - 2, '-') + '\n';
  for (auto const& trial : tuning.trials) {
    text += padded(trial.candidate.name);
    if (trial.converged())
      text += formatted(" %10d %9.4f %9.4f %9.4f  ", trial.iterations, trial.setup, trial.solve, trial.total);
    else
      text += formatted(" %10s %9s %9s %9s  ",
                        trial.residual < 0 ? "-" : std::to_string(trial.iterations).c_str(), "-", "-", "-");
    text += verdict(trial, tuning) + '\n';
  }
  text += "times are those of the slowest rank, the smallest of several runs; total: setup and ";
  text += solves_per_setup == 1 ? "one solve" : std::to_string(solves_per_setup) + " solves";
  return text +
         formatted("; lists less than %.0f %% apart are equal, and the earlier one stays\n", 100 * noise);
}

std::string nothing_found(Tuning const& tuning) {
  std::string text = "no list has converged, and none is written; ";
  Trial const* closest = nullptr;
  for (auto const& trial : tuning.trials)
    if (trial.residual >= 0 && (closest == nullptr || trial.residual < closest->residual)) closest = &trial;
  if (closest != nullptr)
    return text + core::message("closest came ", closest->candidate.name, ": relative residual ") +
           formatted("%.2e", closest->residual) +
           core::message(" after ", closest->iterations, " iterations, asked for ", closest->tolerance, " (",
                         in_one_line(closest->reason),
                         "); a larger --time, --max-iterations or --tol may help");
  auto const& first = tuning.trials.front();
  return text + first.candidate.name + ": " + in_one_line(first.reason);
}

Json tune_json(MatrixFacts const& facts, Plan const& plan, Tuning const& tuning, int solves_per_setup) {
  Json json;
  json["facts"] = {{"equations", facts.equations},     {"nullspace_vectors", facts.nullspace},
                   {"coordinates", facts.coordinates}, {"positive_share", facts.positive},
                   {"weak_share", facts.weak},         {"dominant_share", facts.dominant},
                   {"diagonal_ratio", facts.jump},     {"singular", facts.singular}};
  json["order"] = plan.lists;
  json["order_reason"] = plan.why;
  json["solves_per_setup"] = solves_per_setup;
  json["best"] = tuning.found() ? Json(tuning.trials[tuning.best].candidate.name) : Json(nullptr);
  json["trials"] = Json::array();
  for (auto const& trial : tuning.trials) {
    Json one = {{"list", trial.candidate.name},
                {"status", name(trial.end)},
                {"reason", trial.reason},
                {"iterations", trial.iterations},
                {"runs", trial.runs}};
    one["relative_residual"] = trial.residual < 0 ? Json(nullptr) : Json(trial.residual);
    for (auto const& [key, value] : {std::pair{"setup_seconds", trial.setup},
                                     {"solve_seconds", trial.solve},
                                     {"total_seconds", trial.total}})
      one[key] = trial.converged() ? Json(value) : Json(nullptr);
    json["trials"].push_back(std::move(one));
  }
  return json;
}

std::vector<std::string> tune_comment(LinearSystem const& system, MatrixFacts const& facts,
                                      Tuning const& tuning, int solves_per_setup) {
  auto const& best = tuning.trials[tuning.best];
  std::vector<std::string> lines{
      core::message("Found by tessera tune ", core::version(), " for ", system.name, ": ", facts.rows,
                    " rows, ", facts.nonzeros, " nonzeros, ", facts.equations,
                    facts.equations == 1 ? " equation" : " equations", " a node; ", system.rhs, "."),
      core::message("It is ", best.candidate.name, ": ", measured(best, solves_per_setup), ","),
      core::message("on ", system.comm().getSize(), system.comm().getSize() == 1 ? " rank of " : " ranks of ",
                    omp_get_max_threads(), omp_get_max_threads() == 1 ? " thread" : " threads",
                    "; the fastest of ", tuning.trials.size(), " lists.")};
  if (facts.nullspace > 0 || facts.coordinates)
    lines.push_back(core::message("It was measured with ", facts.nullspace > 0 ? "a near-nullspace" : "",
                                  facts.nullspace > 0 && facts.coordinates ? " and " : "",
                                  facts.coordinates ? "coordinates" : "", "; give them with it."));
  return lines;
}

}  // namespace Tessera::cli
