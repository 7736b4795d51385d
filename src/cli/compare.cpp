#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/measure.hpp"
#include "cli/output.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"
#include "cli/report_html.hpp"
#include "cli/verdict.hpp"
#include "core/error.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {
namespace {

using Lists = std::vector<Measurement>;

/// Work on one list, which has failed where that throws on any rank: the others go on. Collective.
template <class Work>
void attempt(Measurement& list, Comm const& comm, Work const& work) {
  if (list.failed()) return;
  auto const ranks = tpetra::communicator(*comm);
  auto ending = agreed(ranks.raw(), [&] {
    work(list);
    return static_cast<int>(converged);
  });
  if (ending.message.empty()) return;
  auto const& file = list.choice.file;
  auto const from = ending.message.rfind(file + ": ", 0) == 0 ? file.size() + 2 : 0;
  list.result = {std::nullopt, ending.message.substr(from), ending.status};
  if (ending.message.find(file) == std::string::npos) ending.message = file + ": " + ending.message;
  if (comm->getRank() == 0) say(ending);
}

Lists read_lists(Options const& options, Comm const& comm) {
  Lists lists(options.xml.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    auto& list = lists[i];
    list.choice.file = options.xml[i];
    attempt(list, comm, [&](Measurement&) {
      list.choice = read_choice(options.xml[i], options.overrides, *comm);
      list.preconditioner = list.choice.preconditioner;
    });
    // Others can still be compared, so this is no error.
    if (!list.choice.absent.empty()) list.result = {std::nullopt, list.choice.absent, converged};
  }
  return lists;
}

int worst(Lists const& lists) {
  int status = converged;
  for (auto const& list : lists) status = std::max(status, list.result.exit_status);
  return status;
}

int count_runnable(Lists const& lists) {
  return static_cast<int>(
      std::count_if(lists.begin(), lists.end(), [](auto const& list) { return !list.failed(); }));
}

/// A node has as many unknowns for each contestant as for any: the problem is one.
int common_equations(Lists const& lists) {
  int equations = 1;
  for (auto const& list : lists)
    if (!list.failed()) equations = std::max(equations, equations_of(list.choice));
  return equations;
}

struct Tolerance {
  double value;
  char const* why;
};

/// What most of them ask for, so that one list does not decide for all; of several such the strictest.
Tolerance common_tolerance(Lists const& lists) {
  std::map<double, int> votes;  // the strictest first
  for (auto const& list : lists)
    if (!list.failed()) ++votes[list.choice.krylov.tolerance];
  auto const fewer = [](auto const& one, auto const& other) { return one.second < other.second; };
  auto const most = std::max_element(votes.begin(), votes.end(), fewer);
  bool const alone = std::count_if(votes.begin(), votes.end(),
                                   [&](auto const& one) { return one.second == most->second; }) == 1;
  return {most->first, alone ? "which most ask for" : "the strictest of what most ask for"};
}

/// All are held to one tolerance, since times to different ones cannot be compared. Returns it, and who asks
/// for another in `note`.
double hold_to_one_tolerance(Lists& lists, std::string& note) {
  auto const [tolerance, why] = common_tolerance(lists);
  for (auto& list : lists) {
    double const own = list.choice.krylov.tolerance;
    if (list.failed() || own == tolerance) continue;
    note += core::message(note.empty() ? "" : ", ", list.choice.file, " asks for ", own);
    hold_to(list.choice, tolerance);
  }
  if (!note.empty())
    note = core::message("all are held to ", tolerance, ", ", why, " (", note,
                         "); --tol sets another for all\n");
  return tolerance;
}

}  // namespace

int run_compare(Options const& options, Comm const& comm) {
  bool const speaks = comm->getRank() == 0 && !options.quiet;
  require_outputs(options, comm);
  auto lists = read_lists(options, comm);
  int const runnable = count_runnable(lists);
  if (runnable == 0) {
    auto const status = worst(lists);
    if (status != converged) return status;  // each has been said
    throw core::Unavailable("none of the lists can be compared: " + lists.front().result.reason);
  }
  std::string note;
  double const tolerance = hold_to_one_tolerance(lists, note);
  auto const system = make_system(options.problem, common_equations(lists), comm);
  auto const x =
      Teuchos::rcp(new baselines::MultiVector(system.data.matrix->getDomainMap(), system.b->getNumVectors()));
  if (speaks) std::fputs((headline(system, tolerance) + note).c_str(), stdout);
  std::fflush(stdout);

  for (auto& list : lists) attempt(list, comm, [&](Measurement& one) { prepare_device(one.choice, *comm); });
  // Repeats take turns (A B C A B C), so that a slow minute of the machine hits all alike.
  auto progress = progress_of(options, *comm, options.repeats * runnable);
  for (int i = 0; i < options.repeats; ++i)
    for (auto& list : lists)
      attempt(list, comm, [&](Measurement& one) { repeat(one, system, x, !options.html.empty(), progress); });

  auto json = problem_json(system);  // collective
  json["runs"] = nlohmann::ordered_json::array();
  for (auto const& list : lists) json["runs"].push_back(measurement_json(list));
  if (speaks) std::fputs(comparison(lists).c_str(), stdout);
  write_file(options.json, json_text(json), comm);
  if (!options.html.empty()) {
    PageContext const context{options.command_line, tolerance, note, coupling_strengths(system, lists),
                              look_at_winner(system, lists)};
    auto const page = comm->getRank() == 0 ? html_text(system, lists, context) : "";
    write_file(options.html, page, comm);
  }
  return worst(lists);
}

}  // namespace Tessera::cli
