#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>

#include "core/error.hpp"
#include "core/version.hpp"
#include "gallery/problem.hpp"
#include "parameters/messages.hpp"

namespace Tessera::cli {
namespace {

// Mistakes in a command line.

using parameters::hint;

std::string listed(std::vector<std::string> const& words, char const* between = ", ") {
  std::string text;
  for (auto const& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<std::string> options_of(CLI::App const& app) {
  std::vector<std::string> names;
  for (auto const* option : app.get_options())
    for (auto const& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The longest option that the word contains or that contains the word: --tol for --tolerance.
std::string option_within(std::string const& word, std::vector<std::string> const& options) {
  std::size_t constexpr dashes = 2, shortest = 3;
  auto const bare = word.substr(dashes);
  std::string found;
  for (auto const& option : options) {
    auto const name = option.substr(dashes);
    bool const within = (name.size() >= shortest && bare.find(name) != std::string::npos) ||
                        (bare.size() >= shortest && name.find(bare) != std::string::npos);
    if (within && option.size() > found.size()) found = option;
  }
  return found;
}

std::string unknown_option(CLI::App const& app, std::string const& given) {
  auto const begin = std::min(given.find_first_not_of('-'), given.size());
  auto const word = "--" + given.substr(begin, given.find('=') - begin);
  auto const known = options_of(app);
  auto const option = given.substr(0, given.find('='));
  if (app.get_parent() == nullptr)
    return "there is no option " + option + hint(word, known) + "; a subcommand's options follow it";
  auto const text = app.get_name() + " has no option " + option;
  auto const near = hint(word, known);
  if (!near.empty()) return text + near;
  auto const within = option_within(word, known);
  return within.empty() ? text : text + "; did you mean \"" + within + "\"?";
}

std::string unexpected(CLI::App const& app, CLI::App const& command, std::string const& word) {
  if (word.size() > 1 && word[0] == '-') return unknown_option(command, word);
  if (&app != &command) return word + " is not expected here; each value follows its option";
  std::vector<std::string> known;
  for (auto const* subcommand : app.get_subcommands({})) known.push_back(subcommand->get_name());
  return "there is no subcommand " + word + hint(word, known) + "; there are " + listed(known);
}

/// The mistake in the command line. Unknown options and subcommands come first, with a suggestion.
std::string explain(CLI::App const& app, CLI::ParseError const& error) {
  auto const commands = app.get_subcommands();
  for (auto const* command :
       {&app, commands.empty() ? &app : static_cast<CLI::App const*>(commands.front())}) {
    auto const words = command->remaining();
    if (!words.empty()) return unexpected(app, *command, words.front());
  }
  return error.what();
}

// Values of options.

CLI::Validator any_number() {
  return {[](std::string& text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) ? std::string() : text + " is not a number";
          },
          ""};
}

/// A number from `lowest` to below `limit`.
CLI::Validator number_from(double lowest, double limit) {
  auto const allowed = core::message(lowest, " to below ", limit);
  return {[=](std::string& text) {
            double value = 0;
            if (!CLI::detail::lexical_cast(text, value)) return text + " is not a number";
            bool const fits = lowest <= value && value < limit;
            return fits ? std::string() : text + " is out of range; allowed is " + allowed;
          },
          allowed};
}

CLI::Validator positive_integer() {
  return {[](std::string& text) {
            int value = 0;
            if (CLI::detail::lexical_cast(text, value) && value >= 1) return std::string();
            return text + " is not a whole number from 1 to 2^31 - 1";
          },
          "at least 1"};
}

CLI::Validator one_of(std::vector<std::string> const& words) {
  return {[=](std::string& text) {
            if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
            return text + " is not known; allowed are " + listed(words) + hint(text, words);
          },
          listed(words, "|")};
}

// The options.

/// Adds the options of all problems of the gallery, each once. make_problem() checks that a problem has them.
void add_gallery_options(CLI::App& app, gallery::Options& values) {
  std::map<std::string, std::string> seen;
  for (auto const& problem : gallery::catalogue()) {
    for (auto const& parameter : problem.parameters) {
      auto const name = parameter.name;
      auto const set = [&values, name](double const& value) { values[name] = value; };
      if (seen.emplace(name, parameter.meaning).second)
        app.add_option_function<double>("--" + name, set, parameter.meaning)
            ->group("Gallery")
            ->check(any_number());
    }
  }
}

std::string names_of_the_gallery() {
  std::string names;
  for (auto const& problem : gallery::catalogue()) names += (names.empty() ? "" : ", ") + problem.name;
  return names;
}

void add_problem(CLI::App& app, ProblemOptions& problem, bool files) {
  auto* name = app.add_option("--problem", problem.name, "problem of the gallery: " + names_of_the_gallery());
  add_gallery_options(app, problem.values);
  app.add_option("--rhs-kind", problem.rhs_kind,
                 "right-hand side without a file: ones (the default), random, or consistent (A times ones)")
      ->check(one_of({"ones", "random", "consistent"}));
  if (!files) {
    name->required();
    return;
  }
  auto* matrix =
      app.add_option("--matrix", problem.matrix,
                     "Matrix Market file of A; this and the other files may be compressed by gzip or xz");
  matrix->excludes(name);
  app.add_option("--rhs", problem.rhs,
                 "Matrix Market file of b, one column a right-hand side; otherwise --rhs-kind")
      ->needs(matrix);
  app.add_option("--nullspace", problem.nullspace,
                 "Matrix Market file of the near-nullspace, one column a vector")
      ->needs(matrix);
  app.add_flag("--with-translations", problem.with_translations,
               "put a constant vector for each equation before those of --nullspace, or instead of it")
      ->needs(matrix);
  app.add_option("--coordinates", problem.coordinates, "Matrix Market file of the nodes' coordinates")
      ->needs(matrix);
  app.add_option("--material", problem.material,
                 "Matrix Market file of the nodes' material: a column, or a tensor's entries")
      ->needs(matrix);
  app.add_option("--equations", problem.equations, "unknowns a node; otherwise the list's number, or one")
      ->needs(matrix)
      ->check(positive_integer());
}

std::vector<std::string> const backends{"auto", "host", "cuda"};

void add_solves(CLI::App& app, Options& options) {
  app.add_option("--tol", options.overrides.tolerance, "relative residual to reach, instead of the list's")
      ->check(number_from(1e-16, 1.0));
  app.add_option("--max-iterations", options.overrides.max_iterations,
                 "Krylov iterations at most, instead of the list's")
      ->check(positive_integer());
  app.add_option("--json", options.json, "write the results to this file");
  app.add_flag("--quiet", options.quiet, "print nothing but errors");
}

void add_progress(CLI::App& app, Options& options, std::string const& meaning) {
  app.add_flag_function(
      "--progress,!--no-progress", [&](std::int64_t flag) { options.progress = flag > 0; }, meaning);
}

void add_measurement(CLI::App& app, Options& options) {
  add_solves(app, options);
  app.add_option("--backend", options.overrides.backend, "where Tessera runs")->check(one_of(backends));
  app.add_option("--repeat", options.repeats,
                 "number of repeats; reports have their minimum, their median and the first setup")
      ->check(positive_integer());
  add_progress(
      app, options,
      "print each run as it starts and each level of Tessera's setups, or neither. Otherwise runs are "
      "printed, and on a terminal the levels of setups that take more than a second");
}

void require_problem(Options const& options) {
  if (options.problem.name.empty() && options.problem.matrix.empty())
    throw CLI::RequiredError("--problem or --matrix");
}

void require_problem_and_list(Options const& options) {
  require_problem(options);
  if (options.xml.empty())
    throw CLI::RequiredError(
        "--list is required: a Stratimikos list, as a file or by the name of a preset; " + presets_text(),
        CLI::ExitCodes::RequiredError);
}

/// Refuses options without effect. make_problem() refuses those of other problems.
void refuse_without_effect(CLI::App const& command, Options const& options) {
  auto const refuse = [](std::string const& option, std::string const& why) {
    throw CLI::ExcludesError(option + " would have no effect: " + why + "; leave it out",
                             CLI::ExitCodes::ExcludesError);
  };
  auto const& problem = options.problem;
  if (!problem.matrix.empty() && !problem.values.empty())
    refuse("--" + problem.values.begin()->first, "it is for problems of the gallery, and --matrix is given");
  bool const kind = command.count("--rhs-kind") > 0;
  if (options.quiet && options.progress.value_or(false)) refuse("--progress", "--quiet is given");
  if (kind && !problem.rhs.empty()) refuse("--rhs-kind", "--rhs is given");
  if (problem.columns > 1 && !problem.rhs.empty()) refuse("--columns", "--rhs is given");
  if (kind && options.command == Command::gallery && options.out_rhs.empty())
    refuse("--rhs-kind", "it is for what --out-rhs writes");
}

CLI::App* add_solve(CLI::App& app, Options& options, std::string const& list) {
  auto* solve = app.add_subcommand("solve", "solve one problem with one list");
  add_problem(*solve, options.problem, true);
  solve->add_option("--list,--xml", options.xml, "Stratimikos list of solver and preconditioner: " + list)
      ->expected(1);
  add_measurement(*solve, options);
  solve
      ->add_option("--columns", options.problem.columns,
                   "number of right-hand sides, solved at once; those after the first are random")
      ->check(positive_integer());
  solve->add_option("--history", options.history, "write the residual at each iteration to this CSV file");
  solve->add_option("--save", options.save,
                    "write the preconditioner's setup to this file (with several ranks: a file each)");
  solve->add_option("--load", options.load,
                    "instead of a setup, load the one that --save wrote for the same matrix and list");
  solve->add_option("--export", options.folder,
                    "write matrices, near-nullspace and aggregates of Tessera's levels, or the factors of a "
                    "sparse inverse, to this folder, which is new or empty");
  solve->add_option("--solution", options.solution, "write x to this Matrix Market file");
  return solve;
}

CLI::App* add_compare(CLI::App& app, Options& options, std::string const& list) {
  auto* compare = app.add_subcommand(
      "compare",
      "solve one problem with several lists and print a table; all lists have one tolerance, --tol or "
      "else the one that most lists ask for");
  add_problem(*compare, options.problem, true);
  compare->add_option("--list,--xml", options.xml, "Stratimikos list, once for each contestant: " + list);
  add_measurement(*compare, options);
  compare->add_option("--html", options.html, "write a self-contained report of one page to this file");
  return compare;
}

CLI::App* add_tune(CLI::App& app, Options& options) {
  auto* tune = app.add_subcommand(
      "tune",
      "find the fastest list of Tessera's for one problem: tries presets in an order that the matrix "
      "determines, varies the best one and writes it; exit status 1 and no list if none converges or "
      "reaches the rounding level");
  add_problem(*tune, options.problem, true);
  add_solves(*tune, options);
  tune->add_option("--backend", options.backends,
                   "where Tessera runs; of several, such as host,cuda, each list is tried on each")
      ->delimiter(',')
      ->check(one_of(backends));
  add_progress(*tune, options, "print each trial as it ends (the default), or none");
  tune->add_option("--out", options.out, "file of the fastest list")->required();
  tune->add_option("--time", options.seconds, "seconds after which no further list starts; 60 if not given")
      ->check(number_from(1e-3, 1e9));
  tune->add_option("--memory", options.megabytes,
                   "megabytes that a list may take, all ranks together; any if not given")
      ->check(number_from(1e-3, 1e12));
  tune->add_option("--solves-per-setup", options.solves_per_setup,
                   "number of solves with each setup, for the total time; 1 if not given")
      ->check(positive_integer());
  return tune;
}

CLI::App* add_gallery(CLI::App& app, Options& options) {
  auto* gallery = app.add_subcommand("gallery", "write a problem of the gallery to Matrix Market files");
  add_problem(*gallery, options.problem, false);
  gallery->add_option("--out", options.out, "file of A")->required();
  gallery->add_option("--out-rhs", options.out_rhs, "file of b");
  gallery->add_option("--out-nullspace", options.out_nullspace, "file of the near-nullspace");
  gallery->add_option("--out-coordinates", options.out_coordinates, "file of the coordinates");
  return gallery;
}

CLI::App* add_params(CLI::App& app, Options& options) {
  auto* params = app.add_subcommand("params", "the parameters of Tessera's lists");
  params->add_flag("--list", options.list, "print all, with defaults and ranges");
  params->add_flag("--markdown", options.markdown, "print all as Markdown");
  params->add_option("--validate", options.validate, "check this list");
  params->add_flag("--words", options.words,
                   "print how the parameters of MueLu, ML and Ifpack2 are translated");
  auto* translated =
      params->add_option("--translate", options.translate,
                         "translate this list of MueLu, ML or Ifpack2 to one of Tessera's, and "
                         "report the status of each parameter");
  params->add_option("--from", options.from, "library of that list, if the list does not name it")
      ->needs(translated)
      ->check(one_of({"MueLu", "ML", "Ifpack2"}));
  params->add_option("--out", options.out, "file of the translated list; otherwise standard output")
      ->needs(translated);
  return params;
}

char const* const exit_statuses =
    "Exit status: 0 all converged, judged by the true residual; 1 a solve did not (too few iterations, "
    "breakdown, rounding level); 2 bad usage, bad input, or output that cannot be written; 3 internal error. "
    "compare returns the largest status of its lists. A list whose preconditioner is not in this build is a "
    "row of the table, and no error.";

}  // namespace

Parsed parse(int argc, char const* const* argv) {
  Parsed parsed;
  auto& options = parsed.options;
  options.command_line.assign(argv, argv + argc);
  CLI::App app{"Tessera: aggregation preconditioners for Trilinos, compared with ML and MueLu", "tessera"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "tessera " + core::version(), "Print the version and exit");
  app.footer(exit_statuses);  // subcommands inherit it
  std::string const list = "a file of XML or YAML, or the name of a preset; " + presets_text();
  auto* const solve = add_solve(app, options, list);
  auto* const compare = add_compare(app, options, list);
  auto* const tune = add_tune(app, options);
  auto* const gallery = add_gallery(app, options);
  auto* const params = add_params(app, options);
  auto* const info = app.add_subcommand("info", "versions, ranks, threads, devices and what is compiled in");

  try {
    app.parse(argc, argv);
    options.command = solve->parsed()     ? Command::solve
                      : compare->parsed() ? Command::compare
                      : tune->parsed()    ? Command::tune
                      : gallery->parsed() ? Command::gallery
                      : info->parsed()    ? Command::info
                                          : Command::params;
    for (auto* command : {solve, compare})
      if (command->parsed()) require_problem_and_list(options);
    if (tune->parsed()) require_problem(options);
    for (auto* command : {solve, compare, tune, gallery})
      if (command->parsed()) refuse_without_effect(*command, options);
    if (params->parsed() && !options.list && !options.markdown && !options.words &&
        options.validate.empty() && options.translate.empty())
      throw CLI::RequiredError("--list, --markdown, --words, --validate or --translate");
  } catch (CLI::ParseError const& error) {
    std::ostringstream out, err;
    parsed.leave = true;
    parsed.status = app.exit(error, out, err) == 0 ? 0 : 2;
    parsed.text = parsed.status == 0
                      ? out.str()
                      : "tessera: " + explain(app, error) + "\nRun with --help for more information.";
    if (parsed.text.back() != '\n')
      parsed.text += '\n';  // CLI11 ends the help by a line break, but not the version
    return parsed;
  }
  options.overrides.quiet = options.quiet;
  return parsed;
}

}  // namespace Tessera::cli
