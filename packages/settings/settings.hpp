#pragma once
/// \file
/// A parsed list of parameters, as plain values.
#include "fsai/parameters.hpp"
#include "multigrid/parameters.hpp"

namespace Tessera::settings {

enum class Backend { automatic, host, cuda };
enum class Precision { single, full };  ///< in which levels are stored and cycles run
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
  Strictness strict = Strictness::own;
  ProblemType problem = ProblemType::unknown;
  std::string direct_solver = "KLU2";  ///< of Amesos2, for multigrid::CoarseType::direct
};

/// Whether a level has a smoother of another library, which works on the host.
bool has_foreign_smoother(Settings const& settings);

/// Whether M^-1 is linear and symmetric: a sparse inverse, or V- and W-cycles with symmetric smoothers before
/// and after the coarse correction.
bool is_symmetric(Settings const& settings);

}  // namespace Tessera::settings
