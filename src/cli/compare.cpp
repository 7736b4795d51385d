#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/measure.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"
#include "cli/verdict.hpp"

namespace Tessera::cli {
namespace {

std::vector<Measurement> contestants(Options const& options, Comm const& comm) {
  std::vector<Measurement> all(options.xml.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].choice = read_choice(options.xml[i], options.overrides, *comm);
  return all;
}

/// A node has as many unknowns for each contestant as for any: the problem is one.
int common_equations(std::vector<Measurement> const& all) {
  int equations = 1;
  for (auto const& one : all) equations = std::max(equations, equations_of(one.choice));
  return equations;
}

}  // namespace

int run_compare(Options const& options, Comm const& comm) {
  bool const root = comm->getRank() == 0, speaks = root && !options.quiet;
  check_writable(*comm, {options.json});
  auto all = contestants(options, comm);
  auto const system = make_system(options.problem, common_equations(all), comm);
  auto const x = Teuchos::rcp(new baselines::MultiVector(system.data.matrix->getDomainMap(), 1));
  if (speaks) std::fputs(headline(system, all.front().choice.krylov.tolerance).c_str(), stdout);
  std::fflush(stdout);

  for (auto const& one : all) prepare_device(one.choice, *comm);
  // Repeats take turns (A B C A B C), so that a slow minute of the machine hits all alike.
  Progress progress(speaks, options.repeats * static_cast<int>(all.size()));
  for (int i = 0; i < options.repeats; ++i)
    for (auto& one : all) repeat(one, system, x, false, progress);

  auto json = problem_json(system);  // collective
  json["runs"] = nlohmann::ordered_json::array();
  bool every = true;
  for (auto const& one : all) {
    json["runs"].push_back(measurement_json(one));
    every = every && one.converged;
  }
  if (speaks) std::fputs(comparison(all).c_str(), stdout);
  if (root && !options.json.empty()) write_json(options.json, json);
  return every ? converged : not_converged;
}

}  // namespace Tessera::cli
