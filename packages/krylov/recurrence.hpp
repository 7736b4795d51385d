#pragma once
/// \file
/// The scalar half of conjugate gradients: the scalars, in the memory of the space, and what happens to them
/// between the passes over vectors.
#include <cmath>
#include <cstdint>

#include "core/pinned.hpp"
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::krylov {

/// The state of a solve. Paused: the host compares the recurrence with the true residual.
enum class State : int { stopped, running, paused };

/// Sums of the first pass: (b, b), (r, r), and the sum of |b_i|.
struct StartSums {
  double bb = 0, rr = 0, b_sum = 0;
  TESSERA_HD StartSums operator+(StartSums const& other) const {
    return {bb + other.bb, rr + other.rr, b_sum + other.b_sum};
  }
};

/// Dot products of an iteration: (r, z), (z, w), (z, s).
struct DotProducts {
  double rz = 0, zw = 0, zs = 0;
  TESSERA_HD DotProducts operator+(DotProducts const& other) const {
    return {rz + other.rz, zw + other.zw, zs + other.zs};
  }
};

/// Sums of a pass that the host has asked for.
struct ProbeSums {
  double value = 0;   ///< (u, v), || w + |b| ||^2, (b, v), or the largest row error
  double energy = 0;  ///< (v, A v) or (|v|, |A| |v|)
  double square = 0;  ///< (v, v) or (A v, A v)
  TESSERA_HD ProbeSums operator+(ProbeSums const& other) const {
    return {value + other.value, energy + other.energy, square + other.square};
  }
};

/// Instead of a sum, the largest value, which is not negative.
struct LargestValue {
  TESSERA_HD ProbeSums operator()(ProbeSums const& u, ProbeSums const& v) const {
    return u.value < v.value ? v : u;
  }
};

/// When a solve pauses, so that the host compares r with b - A x and tests for rounding and nullspaces.
struct Pause {
  double residual;          ///< when (r, r) is at most this
  double quotient;          ///< when (p, A p) / (p, M p) is at most this times the largest one so far
  double inverse_quotient;  ///< when (r, M^-1 r) / (r, r) is at most this times the largest one so far
  int iteration;            ///< at this iteration
  int patience;  ///< after this number of iterations, or a quarter of all, in which ||r|| has not been halved
};

/// In the memory of the space. The text-books write z = M^-1 r, alpha = step, beta = direction.
struct Scalars {
  double rr, rz, rho;  ///< (r, r), (r, z) and (p, A p)
  double step, direction;
  double rp;                                 ///< (r, p) after r has been replaced, else 0 up to rounding
  double reference, target;                  ///< converged when (r, r) <= target
  double failed;                             ///< the number that was not positive or not finite
  double pp;                                 ///< (p, M p)
  double quotient, largest;                  ///< (p, A p) / (p, M p): the present one and the largest so far
  double inverse_quotient, largest_inverse;  ///< (r, M^-1 r) / (r, r), likewise
  double best;                               ///< (r, r) when it last had fallen to a quarter
  Pause pause;
  int best_iteration;
  int iteration, max_iterations;
  State state;
  Stop reason;   ///< of a stopped solve
  int fresh;     ///< 1: there is no previous direction
  int replaced;  ///< 1: r has been replaced since the last step
  std::int64_t posted;
};

/// The part of Scalars that the host receives after each iteration.
struct Record {
  double rr, reference, target;
  double failed;
  double quotient, inverse_quotient;  ///< at a pause, each relative to its largest; else 0
  int iteration;
  State state;
  Stop reason;
};

/// In pinned memory. The host is never more than max_lag + 1 records behind.
struct HostRecords {
  static constexpr int size = 64, max_lag = 32;
  Record record[size];
  ProbeSums probe;  ///< of the last pass that the host has asked for
  std::int64_t count;
};

TESSERA_HD inline bool finite(double value) {
  return value - value == 0;
}

/// Sends a record to the host.
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
                                                   s.reason};
  ++s.posted;
  core::publish(&records->count, s.posted);
}

TESSERA_HD inline void stop(Scalars& s, Stop reason, double failed) {
  s.state = State::stopped;
  s.reason = reason;
  s.failed = failed;
}

/// Whether the solve pauses now; see Pause.
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

/// Continues after a pause, with the same r.
struct ContinueUnchanged {
  Scalars* scalars;
  Pause pause;
  bool restart_patience;
  TESSERA_HD void operator()(Index) const {
    auto& s = *scalars;
    s.pause = pause;
    if (restart_patience) {
      s.best = s.rr;
      s.best_iteration = s.iteration;
    }
    s.state = State::running;
  }
};

/// Continues from r = b - A x. The direction is kept if b - A x is close to the recurrence's r. Otherwise
/// beta would compare two residuals that differ much.
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

/// After r = b - A x_0. The sum of |b_i| shows that (b, b) has underflowed.
struct FinishStart {
  Scalars* scalars;
  HostRecords* records;
  double tolerance, absolute_tolerance;
  int max_iterations;
  RelativeTo relative_to;
  Pause pause;
  TESSERA_HD void operator()(StartSums const& sums) const {
    Scalars s{};
    s.rr = sums.rr;
    s.best = s.rr;
    s.pause = pause;
    s.state = State::running;
    s.fresh = 1;
    s.max_iterations = max_iterations;
    double const square = relative_to == RelativeTo::rhs                ? sums.bb
                          : relative_to == RelativeTo::initial_residual ? sums.rr
                                                                        : 1.0;
    s.reference = square == 0 ? 1 : sqrt(square);
    double const relative = tolerance * tolerance * (square == 0 ? 1 : square);
    double const absolute = absolute_tolerance * absolute_tolerance;
    s.target = relative < absolute ? absolute : relative;
    constexpr double too_small = 1e-280;  // its square times the square of a tolerance underflows
    if (!finite(sums.bb) || !finite(sums.rr)) {
      stop(s, Stop::not_finite, finite(sums.bb) ? sums.rr : sums.bb);
    } else if (sums.b_sum > 0 && sums.bb < too_small) {
      stop(s, Stop::not_finite, sums.bb);
    } else if (sums.b_sum == 0 || s.rr <= s.target) {
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
/// The part of zw that cancellation leaves in energy_of() if p is zero.
constexpr double lost_energy = 1e-10;

/// After w = A z; s = A p_old of the previous direction p_old.
///
/// Plain: beta = (r, z) / (r, z)_old. Flexible: beta = -(z, s) / rho makes the new direction conjugate to
/// p_old for any M (Bernaschi 2019, Algorithm 3, whose lines 19 and 22 print rho_i where rho_{i-1} is
/// needed). Either way rho = (p, A p) of p = z + beta p_old needs no pass of its own: rho = (z, w) + 2 beta
/// (z, s) + beta^2 rho_old. Chronopoulos and Gear replace (z, s) by -beta rho_old, because directions are
/// conjugate. With M in single precision, plain directions are conjugate to a few digits only. Steps without
/// (z, s) then took up to 2.6 times the iterations.
///
/// A replaced r is not orthogonal to p_old: (r, p) = (r, z) + beta (r, p_old). Without the second term all
/// later steps would be wrong by the same factor; solves diverged.
template <bool flexible>
struct FinishDots {
  Scalars* scalars;

  TESSERA_HD void operator()(DotProducts const& sums) const {
    auto& s = *scalars;
    if (s.state != State::running) return;
    double const rz = sums.rz, zw = sums.zw, zs = sums.zs;
    if (!finite(rz) || !finite(zw)) return stop(s, Stop::not_finite, finite(rz) ? zw : rz);
    if (rz <= 0) return stop(s, Stop::indefinite_preconditioner, rz);
    if (zw <= 0) return stop(s, Stop::indefinite_matrix, zw);
    s.inverse_quotient = rz / s.rr;
    if (s.inverse_quotient > s.largest_inverse) s.largest_inverse = s.inverse_quotient;
    if (s.inverse_quotient <= s.pause.inverse_quotient * s.largest_inverse) {
      s.state = State::paused;  // before a step along rounding errors of M
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
    // r is orthogonal to the previous direction, so (p, M p) follows a recurrence.
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

/// After a pass that the host has asked for: posts its sums, changes nothing else.
struct FinishProbe {
  Scalars* scalars;
  HostRecords* records;
  TESSERA_HD void operator()(ProbeSums const& sums) const {
    records->probe = sums;
    post(records, *scalars);
  }
};

}  // namespace Tessera::krylov
