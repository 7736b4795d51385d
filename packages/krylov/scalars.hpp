#pragma once
/// \file
/// The scalars of conjugate gradients, in the memory of the space, and what the host sees of them.
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

}  // namespace Tessera::krylov
