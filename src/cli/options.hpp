#pragma once
/// \file
/// The command line.
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace Tessera::cli {

enum class Command { solve, compare, tune, gallery, params, info };

/// A x = b of the gallery or from files.
struct ProblemOptions {
  std::string name;                                           ///< of the gallery; empty: files
  std::map<std::string, double> values;                       ///< of that problem
  std::string rhs_kind = "ones";                              ///< without a file
  int columns = 1;                                            ///< right-hand sides without a file
  std::string matrix, rhs, nullspace, coordinates, material;  ///< Matrix Market files
  bool with_translations = false;  ///< constants, one for each equation, before nullspace
  std::optional<int> equations;    ///< unknowns a node; empty: the list's
};

/// Values of the command line that replace values of a list.
struct Overrides {
  std::optional<double> tolerance;
  std::optional<int> max_iterations;
  std::string backend;  ///< empty: the list's
  bool quiet = false;   ///< Tessera prints nothing unless the list asks for it
};

struct Options {
  Command command = Command::info;
  ProblemOptions problem;
  std::vector<std::string> xml;
  Overrides overrides;
  int repeats = 1;
  bool quiet = false;
  std::string json, history, solution;
  std::string save, load;                 ///< of `solve`: files of setups
  std::string html;                       ///< of `compare`
  std::vector<std::string> command_line;  ///< as it was given, the program first
  std::string out, out_rhs, out_nullspace,
      out_coordinates;  ///< of `gallery`; the first also of `params` and `tune`
  bool list = false, markdown = false, words = false;  ///< of `params`
  std::string validate, translate, from;
  double seconds = 60;                ///< of `tune`, as the next ones
  double megabytes = 0;               ///< 0: any
  std::vector<std::string> backends;  ///< each is tried; empty: the presets' back end
  int solves_per_setup = 1;
  std::string folder;            ///< of `solve --export`
  std::optional<bool> progress;  ///< empty: levels of long setups, on a terminal
};

/// The result of parsing: options, or a text to print before the end of the program.
struct Parsed {
  Options options;
  bool leave = false;
  int status = 0;  ///< 0 after help, 2 after a usage error
  std::string text;
};

Parsed parse(int argc, char const* const* argv);

/// The folder of the presets and their names, for the end of a message.
std::string presets_text();

}  // namespace Tessera::cli
