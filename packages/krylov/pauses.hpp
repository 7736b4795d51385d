#pragma once
/// \file
/// When a solve pauses, and how it goes on.
#include "krylov/scalars.hpp"

namespace Tessera::krylov {

/// Whether the solve is to pause; see Pause.
TESSERA_HD inline bool pause_is_due(Scalars& s) {
  if (s.rr <= s.best / 4) {
    s.best = s.rr;
    s.best_iteration = s.iteration;
  }
  int const quarter = s.iteration / 4;
  int const patience = s.pause.patience > quarter ? s.pause.patience : quarter;
  return s.rr <= s.pause.residual || s.iteration >= s.pause.iteration ||
         s.iteration - s.best_iteration >= patience || s.quotient <= s.pause.quotient * s.largest;
}

/// Goes on after a pause, with the same r.
struct ContinueUnchanged {
  Scalars* scalars;
  Pause pause;
  bool patient;  ///< anew
  TESSERA_HD void operator()(Index) const {
    auto& s = *scalars;
    s.pause = pause;
    if (patient) {
      s.best = s.rr;
      s.best_iteration = s.iteration;
    }
    s.state = State::running;
  }
};

/// Goes on from r = b - A x. The direction is kept when that is nearly the recurrence's r; else its beta
/// would compare two residuals that have little to do with each other.
struct Resume {
  Scalars* scalars;
  double rr, rp;
  Pause pause;
  TESSERA_HD void operator()(Index) const {
    auto& s = *scalars;
    s.rp = rp;
    s.replaced = 1;
    if (rr > 4 * s.rr) {
      s.fresh = 1;
      s.pp = 0;
    }
    s.rr = rr;
    s.best = rr;
    s.best_iteration = s.iteration;
    s.pause = pause;
    s.state = State::running;
    if (s.iteration >= s.max_iterations) stop(s, Stop::max_iterations, 0);
  }
};

}  // namespace Tessera::krylov
