#pragma once
/// \file
/// A parsed list of parameters, as plain values.
#include "fsai/parameters.hpp"
#include "multigrid/parameters.hpp"

namespace Tessera::parameters {

enum class Backend { automatic, host, cuda };
enum class Precision { single, full };  ///< in which levels are stored and cycles run
enum class Verbosity { none, low, medium, high, extreme };
/// Problems that a preset is for, as MueLu names them.
enum class ProblemType { unknown, poisson_2d, poisson_3d, elasticity_2d, elasticity_3d };
/// What of a list is refused for having no effect: unknown names and what has no effect in its company, also
/// other libraries' parameters without effect, or nothing. A parameter that is not refused causes a warning.
enum class Strictness { own, all, nothing };
/// The last one is no multigrid.
enum class Algorithm { smoothed, unsmoothed, matching, root_nodes, classical, fsai };

/// What of the last hierarchy setMatrix() leaves for the next compute(), if the pattern is the same.
enum class Reuse {
  none,       ///< nothing
  tentative,  ///< aggregates, tentative prolongators and patterns: values are refreshed
  full        ///< everything: the hierarchy stays as it is
};

/// Everything that a list can say. Default-constructed: what an empty list says.
struct Settings {
  Algorithm algorithm = Algorithm::smoothed;
  multigrid::Parameters multigrid;
  fsai::Parameters fsai;  ///< of the preconditioner; the smoother's are in multigrid
  Backend backend = Backend::automatic;
  comm::Overlap overlap = comm::Overlap::automatic;
  int device = -1;  ///< number of the GPU; -1: by the rank on its node
  Precision precision = Precision::single;
  Verbosity verbosity = Verbosity::low;
  Reuse reuse = Reuse::none;
  int excess_iterations = 20;  ///< that refreshes may cost before a compute() is a setup; 0: any number
  bool timer_for_apply = true;
  Strictness strict = Strictness::own;
  ProblemType problem = ProblemType::unknown;
  std::string direct_solver = "KLU2";  ///< of Amesos2's, for multigrid::CoarseType::direct
};

/// Whether some level has a smoother that is not ours and works on the host.
bool has_foreign_smoother(Settings const& settings);

/// Whether M^-1 is linear and symmetric: a sparse inverse, or V- and W-cycles that smooth before and after,
/// by smoothers that are.
bool is_symmetric(Settings const& settings);

}  // namespace Tessera::parameters
