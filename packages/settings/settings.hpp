#pragma once
/// \file
/// A parsed list of parameters as plain values, the one list of methods, and the comparison of names.
#include <string>
#include <utility>
#include <vector>

#include "fsai/parameters.hpp"
#include "multigrid/parameters.hpp"

namespace Tessera::settings {

enum class Backend { automatic, host, cuda };
/// Of stored levels and of cycles. half, automatic: matrices of all or of some levels in Half, cycles in
/// single.
enum class Precision { single, full, half, automatic };
enum class Verbosity { none, low, medium, high, extreme };
/// Problems that a preset is for, as MueLu names them.
enum class ProblemType { unknown, poisson_2d, poisson_3d, elasticity_2d, elasticity_3d };
/// Which parameters without effect are refused. own: unknown names and Tessera's parameters without effect;
/// all: also those of other libraries; nothing: none. A parameter that is not refused causes a warning.
enum class Strictness { own, all, nothing };
enum class Algorithm { smoothed, unsmoothed, matching, root_nodes, classical, fsai };  ///< fsai has no levels

/// The parts of the last hierarchy that setMatrix() keeps for the next compute() if the pattern is the same.
enum class Reuse {
  none,       ///< nothing
  tentative,  ///< aggregates, tentative prolongators and patterns: values are refreshed
  full        ///< the whole hierarchy, unchanged
};

/// All settings of a list. Default-constructed: the settings of an empty list.
struct Settings {
  Algorithm algorithm = Algorithm::smoothed;
  multigrid::Parameters multigrid;
  fsai::Parameters fsai;  ///< of the preconditioner; those of the smoother are in multigrid
  Backend backend = Backend::automatic;
  comm::Overlap overlap = comm::Overlap::automatic;
  int device = -1;  ///< number of the GPU; -1: by the rank on its node
  Precision precision = Precision::single;
  Verbosity verbosity = Verbosity::low;
  Reuse reuse = Reuse::none;
  int excess_iterations =
      20;  ///< further iterations after refreshes before a compute() is a setup; 0: any number
  bool timer_for_apply = true;
  bool timer_for_phases = false;
  Strictness strict = Strictness::own;
  ProblemType problem = ProblemType::unknown;
  std::string direct_solver = "KLU2";  ///< of Amesos2, for multigrid::CoarseType::direct
};

/// Whether a level has a smoother of another library, which works on the host.
bool has_foreign_smoother(Settings const& settings);

/// Whether M^-1 is linear and symmetric: a sparse inverse, or V- and W-cycles with symmetric smoothers before
/// and after the coarse correction.
bool is_symmetric(Settings const& settings);

struct Draft;

/// A preconditioner class: its names, algorithms, defaults and descriptions.
struct Method {
  std::string name;                   ///< of the class, such as Tessera::SmoothedAggregation
  std::vector<std::string> keys;      ///< names for Tessera::Factory, in capitals; reports print the first
  std::vector<Algorithm> algorithms;  ///< values of `multigrid algorithm` that it accepts
  void (*defaults)(Draft& draft);     ///< sets the defaults that differ from those of an empty list
  bool has_levels;                    ///< the setup makes a multigrid::Hierarchy, otherwise an fsai::Fsai
  std::string setup_result;           ///< name of the setup's result, such as: hierarchy
  std::string refresh, reuse;         ///< descriptions of a repeated setup

  bool takes(Algorithm algorithm) const;
};

std::vector<Method> const& methods();

/// name: of an existing class.
Method const& method_named(std::string const& name);
/// key: one of its keys, in any case. Null if there is no such method.
Method const* find_method(std::string const& key);

/// The method that has this algorithm by default, otherwise the first that accepts it.
Method const& method_for(Algorithm algorithm);

/// Values of `multigrid algorithm`.
std::vector<std::pair<std::string, Algorithm>> const& algorithms();
/// The algorithms with or without levels, such as: multigrid algorithm = sa or unsmoothed
std::string algorithms_text(bool has_levels);

/// Whether the levels are aggregates.
bool has_aggregates(Algorithm algorithm);
std::string algorithms_with_aggregates();

/// The name of the parameter.
inline constexpr char const* algorithm_name = "multigrid algorithm";

/// Number of insertions, deletions, substitutions and swaps of neighbours that turn `from` into `to`. Case
/// does not count (optimal string alignment distance). If a name has more than 100 characters, the longer
/// one's length.
int edit_distance(std::string const& from, std::string const& to);

/// Such as: did you mean "smoother: type"? Suggests the known names within edit distance 3 of `unknown` (and
/// less than half its length), nearest first. If there are none, it lists the names with the same prefix up
/// to the colon.
std::string did_you_mean(std::string const& unknown, std::vector<std::string> const& known);
/// did_you_mean() after "; ", for the end of a message; empty if there is no suggestion.
std::string hint(std::string const& unknown, std::vector<std::string> const& known);

std::string upper_case(std::string text);
bool equal_ignoring_case(std::string const& one, std::string const& other);
/// Without blanks at its ends.
std::string trimmed(std::string const& text);

}  // namespace Tessera::settings
