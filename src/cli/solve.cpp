// The commands solve and compare.
#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/measure.hpp"
#include "cli/verdict.hpp"
#include "core/error.hpp"
#include "tpetra/matrix_market.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {
namespace {

Teuchos::RCP<baselines::MultiVector> solution_vectors(LinearSystem const& system) {
  return Teuchos::rcp(
      new baselines::MultiVector(system.data.matrix->getDomainMap(), system.b->getNumVectors()));
}

/// The lists of a comparison and their measurements, in the order of the command line.
struct Comparison {
  std::vector<Choice> choices;
  std::vector<Measurement> lists;

  explicit Comparison(std::vector<std::string> const& files) : choices(files.size()), lists(files.size()) {
    for (std::size_t i = 0; i < files.size(); ++i) choices[i].file = lists[i].list.file = files[i];
  }

  std::vector<Choice> running() const {
    std::vector<Choice> result;
    for (std::size_t i = 0; i < lists.size(); ++i)
      if (!lists[i].failed()) result.push_back(choices[i]);
    return result;
  }
};

/// Works on each list that has not failed. If the work throws on a rank, the list has failed, and the next
/// one follows. Collective.
template <class Work>
void for_each_running(Comparison& comparison, Comm const& comm, Work const& work) {
  auto const ranks = tpetra::communicator(*comm);
  for (std::size_t i = 0; i < comparison.lists.size(); ++i) {
    auto& list = comparison.lists[i];
    if (list.failed()) continue;
    auto ending = agreed(ranks.raw(), [&] {
      work(comparison.choices[i], list);
      return static_cast<int>(converged);
    });
    if (ending.message.empty()) continue;
    auto const& file = comparison.choices[i].file;
    auto const from = ending.message.rfind(file + ": ", 0) == 0 ? file.size() + 2 : 0;
    list.result = {std::nullopt, ending.message.substr(from), ending.status};
    if (ending.message.find(file) == std::string::npos) ending.message = file + ": " + ending.message;
    if (comm->getRank() == 0) print(ending);
  }
}

Comparison read_lists(Options const& options, Comm const& comm) {
  Comparison comparison(options.xml);
  for_each_running(comparison, comm, [&](Choice& choice, Measurement& list) {
    choice = read_choice(choice.file, options.overrides, *comm);
    list.list = choice;
    list.preconditioner = choice.preconditioner;
    // The exit status is that of success, because the other lists can still be compared.
    if (!choice.absent.empty()) list.result = {std::nullopt, choice.absent, converged};
  });
  return comparison;
}

int worst(std::vector<Measurement> const& lists) {
  int status = converged;
  for (auto const& list : lists) status = std::max(status, list.result.exit_status);
  return status;
}

/// The largest number of unknowns a node that a list asks for: all lists solve one problem.
int common_equations(std::vector<Choice> const& choices) {
  int equations = 1;
  for (auto const& choice : choices) equations = std::max(equations, equations_of(choice));
  return equations;
}

struct Tolerance {
  double value;
  char const* reason;
};

/// The tolerance that most lists ask for, so that one list does not decide for all; of several the strictest.
Tolerance common_tolerance(std::vector<Choice> const& choices) {
  std::map<double, int> votes;  // the strictest first
  for (auto const& choice : choices) ++votes[choice.krylov.tolerance];
  auto const fewer = [](auto const& one, auto const& other) { return one.second < other.second; };
  auto const most = std::max_element(votes.begin(), votes.end(), fewer);
  bool const unique = std::count_if(votes.begin(), votes.end(),
                                    [&](auto const& one) { return one.second == most->second; }) == 1;
  return {most->first, unique ? "which most ask for" : "the strictest of what most ask for"};
}

/// Gives all lists one tolerance, because times to different tolerances cannot be compared. Returns it, and
/// in `note` the lists that ask for another.
double set_one_tolerance(Comparison& comparison, std::string& note) {
  auto const [tolerance, reason] = common_tolerance(comparison.running());
  for (std::size_t i = 0; i < comparison.lists.size(); ++i) {
    auto& choice = comparison.choices[i];
    double const own = choice.krylov.tolerance;
    if (comparison.lists[i].failed() || own == tolerance) continue;
    note += core::message(note.empty() ? "" : ", ", choice.file, " asks for ", own);
    set_tolerance(choice, tolerance);
  }
  if (!note.empty())
    note = core::message("all are held to ", tolerance, ", ", reason, " (", note,
                         "); --tol sets another for all\n");
  return tolerance;
}

/// Repeats take turns (A B C A B C), so that a slow minute of the machine affects all lists alike.
void measure(Comparison& comparison, LinearSystem const& system, Options const& options, Comm const& comm) {
  for_each_running(comparison, comm,
                   [&](Choice const& choice, Measurement&) { prepare_device(choice, *comm); });
  auto const x = solution_vectors(system);
  FirstRepeat first_repeat;
  first_repeat.history = !options.html.empty();
  auto progress =
      progress_of(options, *comm, options.repeats * static_cast<int>(comparison.running().size()));
  for (int i = 0; i < options.repeats; ++i)
    for_each_running(comparison, comm, [&](Choice const& choice, Measurement& list) {
      repeat(list, choice, system, x, first_repeat, progress);
    });
}

void require_setup_files_apply(Options const& options, Choice const& choice) {
  for (auto const& [option, file] : {std::pair("--save", options.save), std::pair("--load", options.load),
                                     std::pair("--export", options.folder)})
    TESSERA_VALIDATE(file.empty() || choice.preconditioner == "Tessera", option,
                     " would have no effect: ", choice.file, " asks for ", choice.preconditioner,
                     ", and only setups of Tessera's go to files; leave it out");
}

}  // namespace

int run_solve(Options const& options, Comm const& comm) {
  require_outputs(options, comm);
  auto const choice = read_choice(options.xml.front(), options.overrides, *comm);
  require_in_build(choice);
  require_setup_files_apply(options, choice);
  auto system = make_system(options.problem, equations_of(choice), comm);
  system.data.saved = options.load;
  auto const figures = figures_of(system);
  auto const x = solution_vectors(system);
  bool const prints = comm->getRank() == 0 && !options.quiet;
  if (prints) std::fputs(headline(figures, choice.krylov.tolerance).c_str(), stdout);
  std::fflush(stdout);
  prepare_device(choice, *comm);
  Measurement measurement;
  measurement.list = choice;
  FirstRepeat const first_repeat{!options.history.empty(), options.save, options.folder};
  auto progress = progress_of(options, *comm, options.repeats);
  for (int i = 0; i < options.repeats; ++i) repeat(measurement, choice, system, x, first_repeat, progress);

  auto json = system_json(figures);
  json.update(measurement_json(measurement));
  if (prints) std::fputs((summary(measurement) + measurement.exported).c_str(), stdout);
  write_file(options.json, json_text(json), comm);
  write_file(options.history, history_text(measurement), comm);
  if (!options.solution.empty()) tpetra::write_dense(options.solution, *x);
  return measurement.result.exit_status;
}

int run_compare(Options const& options, Comm const& comm) {
  bool const prints = comm->getRank() == 0 && !options.quiet;
  require_outputs(options, comm);
  auto comparison = read_lists(options, comm);
  auto const& lists = comparison.lists;
  if (comparison.running().empty()) {
    auto const status = worst(lists);
    if (status != converged) return status;  // the messages are printed
    throw core::Unavailable("none of the lists can be compared: " + lists.front().result.reason);
  }
  std::string note;
  double const tolerance = set_one_tolerance(comparison, note);
  auto const system = make_system(options.problem, common_equations(comparison.running()), comm);
  auto const figures = figures_of(system);
  if (prints) std::fputs((headline(figures, tolerance) + note).c_str(), stdout);
  std::fflush(stdout);
  measure(comparison, system, options, comm);

  auto json = system_json(figures);
  json["runs"] = nlohmann::ordered_json::array();
  for (auto const& list : lists) json["runs"].push_back(measurement_json(list));
  if (prints) std::fputs(cli::comparison(lists).c_str(), stdout);
  write_file(options.json, json_text(json), comm);
  if (!options.html.empty()) {
    PageContext const context{options.command_line, tolerance, note,
                              coupling_strengths(system, comparison.running()),
                              winner_at_nodes(system, comparison.choices, lists)};
    auto const page = comm->getRank() == 0 ? html_text(figures, lists, context) : "";
    write_file(options.html, page, comm);
  }
  return worst(lists);
}

}  // namespace Tessera::cli
