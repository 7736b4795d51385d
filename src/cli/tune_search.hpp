#pragma once
/// \file
/// The search for the fastest list. Prints nothing.
#include <functional>
#include <string>
#include <vector>

#include "cli/tune_lists.hpp"

namespace Tessera::cli {

struct TuneGoal {
  double seconds = 60;       ///< no further list is begun after so many
  int solves_per_setup = 1;  ///< what counts is setup + so many solves
};

/// How a list ended.
enum class TrialEnd {
  converged,
  not_converged,  ///< and would not have in more time
  too_slow,       ///< was stopped, since it could no longer be the fastest, or since the time was up
  failed,         ///< threw
  not_tried       ///< the time was up before
};
char const* name(TrialEnd end);

/// One list and what it came to; seconds are the largest over the ranks, the smallest of `runs`.
struct Trial {
  Candidate candidate;
  TrialEnd end = TrialEnd::not_tried;
  std::string reason;  ///< empty where it converged
  int iterations = 0;
  int runs = 0;
  double setup = 0, solve = 0, total = 0;  ///< the last one: setup + solves-per-setup times solve
  double residual = -1;                    ///< true and relative; -1: there was no solve
  double tolerance = 0;                    ///< that was asked for
  bool improved = false;                   ///< was the fastest when it was tried

  bool converged() const { return end == TrialEnd::converged; }
};

struct Tuning {
  std::vector<Trial> trials;  ///< in the order in which they were tried
  std::size_t best = 0;       ///< of `trials`; trials.size(): none has converged
  bool found() const { return best < trials.size(); }
};

/// Lists that are less than this apart are equal: the earlier one stays.
constexpr double noise = 0.05;

/// Tries the candidates in their order, then variations of the fastest, parameter by parameter. Once one has
/// converged, the others may take half as long again: their iterations are bounded by that, after a few that
/// tell how long one takes. Lists near the best take turns before it is varied, and at the end. All decisions
/// follow times that all ranks agree on. `told` hears of every trial when it ends, on every rank. Collective.
Tuning tune(LinearSystem const& system, std::vector<Candidate> const& candidates, TuneGoal const& goal,
            std::function<void(Trial const&)> const& told);

}  // namespace Tessera::cli
