#pragma once
/// \file
/// The scalar half of conjugate gradients: the scalars, in the memory of the space, and what happens to them
/// between the passes over vectors.
#include <cmath>
#include <cstdint>

#include "core/pinned.hpp"
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::krylov {

/// How a solve stands. Paused: because the host wants to look at it.
enum class State : int { stopped, running, paused };

/// Sums of one pass; what each is depends on the pass.
struct Sums {
  double a = 0, b = 0, c = 0;
  TESSERA_HD Sums operator+(Sums const& other) const { return {a + other.a, b + other.b, c + other.c}; }
};

/// In place of a sum, the largest first member, which is not negative.
struct Largest {
  TESSERA_HD Sums operator()(Sums const& u, Sums const& v) const { return u.a < v.a ? v : u; }
};

/// When a solve pauses, so that the host compares r with b - A x and looks for rounding and nullspaces.
struct Pause {
  double residual;  ///< as soon as (r, r) is no larger
  double quotient;  ///< as soon as a direction's Rayleigh quotient is no larger than this times the largest
  double inverse_quotient;  ///< as soon as r's with M^-1 is no larger than this times the largest
  int iteration;            ///< at this one
  int patience;             ///< after so many, or a quarter of all, in which ||r|| has not been halved
};

/// In the memory of the space. In the names of the text-books: z = M^-1 r, alpha = step, beta = direction.
struct Scalars {
  double rr, rz, rho;  ///< (r, r), (r, z) and (p, A p)
  double step, direction;
  double rp;                                 ///< (r, p) where r has been replaced, else 0 but for rounding
  double reference, target;                  ///< converged when (r, r) <= target
  double failed;                             ///< what was not positive or not finite
  double pp;                                 ///< (p, M p)
  double quotient, largest;                  ///< (p, A p) / (p, M p), now and the largest so far
  double inverse_quotient, largest_inverse;  ///< (r, M^-1 r) / (r, r), likewise
  double best;                               ///< (r, r) when it was last found to have fallen to a quarter
  Pause pause;
  int best_iteration;
  int iteration, max_iterations;
  State state;
  Stop why;      ///< it has stopped
  int fresh;     ///< there is no direction to continue with
  int replaced;  ///< r has been, and no step has been made since
  std::int64_t posted;
};

/// What the host sees of an iteration.
struct Record {
  double rr, reference, target;
  double failed;                      ///< Scalars'
  double quotient, inverse_quotient;  ///< of a pause, each by its largest; else 0
  int iteration;
  State state;
  Stop why;
};

/// In pinned memory. The host is never more than max_lag + 1 records behind.
struct HostRecords {
  static constexpr int size = 64, max_lag = 32;
  Record record[size];
  Sums found;  ///< by the host's last look
  std::int64_t count;
};

TESSERA_HD inline bool finite(double value) {
  return value - value == 0;
}

/// Tells the host.
TESSERA_HD inline void post(HostRecords* records, Scalars& s) {
  bool const pausing = s.state == State::paused;
  records->record[s.posted % HostRecords::size] = {s.rr,
                                                   s.reference,
                                                   s.target,
                                                   s.failed,
                                                   pausing ? s.quotient / s.largest : 0,
                                                   pausing ? s.inverse_quotient / s.largest_inverse : 0,
                                                   s.iteration,
                                                   s.state,
                                                   s.why};
  ++s.posted;
  core::publish(&records->count, s.posted);
}

TESSERA_HD inline void stop(Scalars& s, Stop why, double failed) {
  s.state = State::stopped;
  s.why = why;
  s.failed = failed;
}

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

/// After r = b - A x_0. Sums: (b, b), (r, r), and sum |b_i|, which shows that (b, b) has underflowed.
struct FinishStart {
  Scalars* scalars;
  HostRecords* records;
  double tolerance, absolute_tolerance;
  int max_iterations;
  RelativeTo relative_to;
  Pause pause;
  TESSERA_HD void operator()(Sums const& sums) const {
    Scalars s{};
    s.rr = sums.b;
    s.best = s.rr;
    s.pause = pause;
    s.state = State::running;
    s.fresh = 1;
    s.max_iterations = max_iterations;
    double const square = relative_to == RelativeTo::rhs                ? sums.a
                          : relative_to == RelativeTo::initial_residual ? sums.b
                                                                        : 1.0;
    s.reference = square == 0 ? 1 : sqrt(square);
    double const relative = tolerance * tolerance * (square == 0 ? 1 : square);
    double const absolute = absolute_tolerance * absolute_tolerance;
    s.target = relative < absolute ? absolute : relative;
    constexpr double too_small = 1e-280;  // its square times that of a tolerance underflows
    if (!finite(sums.a) || !finite(sums.b)) {
      stop(s, Stop::not_finite, finite(sums.a) ? sums.b : sums.a);
    } else if (sums.c > 0 && sums.a < too_small) {
      stop(s, Stop::not_finite, sums.a);
    } else if (sums.c == 0 || s.rr <= s.target) {
      stop(s, Stop::converged, 0);
    } else if (max_iterations == 0) {
      stop(s, Stop::max_iterations, 0);
    }
    *scalars = s;
    post(records, *scalars);
  }
};

/// (p, A p) of p = z + beta q, from zw = (z, A z), zs = (z, A q) and rho = (q, A q).
TESSERA_HD inline double energy_of(double zw, double zs, double beta, double rho) {
  return zw + beta * (2 * zs + beta * rho);
}
/// What cancellation leaves of it, as a part of zw, where p is zero.
constexpr double lost_energy = 1e-10;

/// After w = A z. Sums: (r, z), (z, w), and (z, s), where s = A p of the direction before, if there is one.
///
/// Plain: beta = (r, z) / (r, z)_old. Flexible: beta = -(z, s) / rho makes the new direction conjugate to the
/// one before whatever M was (Bernaschi 2019, Algorithm 3, where lines 19 and 22 print rho_i and need
/// rho_{i-1}). Either way rho = (p, A p) of p = z + beta p_old needs no pass of its own: it is
/// (z, w) + 2 beta (z, s) + beta^2 rho_old. Chronopoulos and Gear save (z, s) as well, since conjugacy makes
/// it -beta rho_old. But with M in single precision plain directions are conjugate to few digits, and steps
/// that leave out what is missing have taken up to 2.6 times the iterations.
///
/// An r that has just been replaced is not orthogonal to p_old: (r, p) = (r, z) + beta (r, p_old). Without
/// that term all later steps would be wrong by the same factor, which has made solves diverge.
template <bool flexible>
struct FinishDots {
  Scalars* scalars;

  TESSERA_HD void operator()(Sums const& sums) const {
    auto& s = *scalars;
    if (s.state != State::running) return;
    double const rz = sums.a, zw = sums.b, zs = sums.c;
    if (!finite(rz) || !finite(zw)) return stop(s, Stop::not_finite, finite(rz) ? zw : rz);
    if (rz <= 0) return stop(s, Stop::indefinite_preconditioner, rz);
    if (zw <= 0) return stop(s, Stop::indefinite_matrix, zw);
    s.inverse_quotient = rz / s.rr;
    if (s.inverse_quotient > s.largest_inverse) s.largest_inverse = s.inverse_quotient;
    if (s.inverse_quotient <= s.pause.inverse_quotient * s.largest_inverse) {
      s.state = State::paused;  // before a step along what may be nothing but rounding of M's
      return;
    }
    double beta = 0, rho = zw;
    if (s.fresh == 0) {
      beta = flexible || s.replaced != 0 ? -zs / s.rho : rz / s.rz;
      rho = energy_of(zw, zs, beta, s.rho);
      if (rho < -lost_energy * zw) return stop(s, Stop::indefinite_matrix, rho);
      if (!(rho > lost_energy * zw)) {
        beta = 0;
        rho = zw;
      }
    }
    double const step = (s.replaced != 0 ? rz + beta * s.rp : rz) / rho;
    if (!finite(step)) return stop(s, Stop::not_finite, step);
    s.rz = rz;
    s.rho = rho;
    s.direction = beta;
    s.step = step;
    s.replaced = 0;
    // r is orthogonal to the direction before, so that (p, M p) is a recurrence.
    s.pp = rz + beta * beta * s.pp;
    s.quotient = rho / s.pp;
    if (s.quotient > s.largest) s.largest = s.quotient;
  }
};

/// After the update: (r, r).
struct FinishUpdate {
  Scalars* scalars;
  HostRecords* records;
  TESSERA_HD void operator()(double rr) const {
    auto& s = *scalars;
    if (s.state == State::running) {
      ++s.iteration;
      s.rr = rr;
      s.fresh = 0;
      if (!finite(rr)) {
        stop(s, Stop::not_finite, rr);
      } else if (rr <= s.target) {
        stop(s, Stop::converged, 0);
      } else if (s.iteration >= s.max_iterations) {
        stop(s, Stop::max_iterations, 0);
      } else if (pause_is_due(s)) {
        s.state = State::paused;
      }
    }
    post(records, s);
  }
};

/// After sums that the host has asked for: posts them, and changes nothing.
struct FinishLook {
  Scalars* scalars;
  HostRecords* records;
  TESSERA_HD void operator()(Sums const& sums) const {
    records->found = sums;
    post(records, *scalars);
  }
};

}  // namespace Tessera::krylov
