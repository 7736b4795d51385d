#pragma once
/// \file
/// Passes that the host asks for while a solve is stopped or paused, and iterative refinement: A d = b - A x,
/// x += d. Conjugate gradients add each of many steps to x, and each sum is rounded to the digits of x:
/// within some ten steps b - A x drifts away from r by one rounding level. A correction drifts by its own
/// size, and is added once. So b - A x comes down to what the rounding of x itself leaves (Van der Vorst, Ye
/// 2000; Higham 2002, section 12.1).
#include <algorithm>
#include <cmath>

#include "core/memory.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "krylov/rounding.hpp"
#include "krylov/steps.hpp"

namespace Tessera::krylov {

template <class Space>
class ResidualProbe {
 public:
  /// issued: number of records that the enqueued work posts; each probe adds one.
  ResidualProbe(Steps<Space> const& steps, std::int64_t& issued) : steps_(steps), issued_(issued) {}

  /// Returns || b - A x ||^2; stores b - A x in `into`, which may be r or w.
  double residual(double* into) {
    return wait_for([&] { steps_.residual(into); }).value;
  }

  /// The scale of b - A v. v: owned entries. Overwrites w.
  RoundingScale scale(double const* v) {
    auto const weighted = wait_for([&] { steps_.weighted_magnitudes(v); });
    auto const sums = wait_for([&] { steps_.magnitudes(v); });
    return {std::sqrt(sums.value), sums.energy, std::sqrt(weighted.value), 0};
  }

  /// After scale(x): the largest |r|_i / (|A| |x| + |b|)_i. r is not w.
  double row_error(double const* r) {
    return wait_for([&] { steps_.row_error(r); }).value;
  }

  Direction direction(double const* v) {
    auto const magnitudes = wait_for([&] { steps_.magnitudes(v); }),
               energy = wait_for([&] { steps_.energy(v); });
    return {energy.energy, magnitudes.energy, magnitudes.square, energy.square, energy.value};
  }

  /// The part of r that M^-1 A leaves: s = (I - M^-1 A)^2 r. Needs an M. Overwrites w, z and s.
  Direction remainder() {
    auto& work = steps_.work;
    core::copy(steps_.space, work.r.view(), steps_.space, work.s.span());
    for (int step = 0; step < 2; ++step) {  // the second for an M in single precision
      wait_for([&] { steps_.energy(work.s.data()); });
      steps_.subtract_preconditioned(work.w.data(), work.s.data());
    }
    return direction(work.s.data());
  }
  /// s = A p, up to rounding.
  void restore_s() {
    auto& work = steps_.work;
    wait_for([&] { steps_.energy(work.p.data()); });
    core::copy(steps_.space, work.w.view(), steps_.space, work.s.span());
  }

  double dot(double const* u, double const* v) {
    return wait_for([&] { steps_.dot(u, v); }).value;
  }

 private:
  template <class Enqueue>
  ProbeSums wait_for(Enqueue const& enqueue) {
    enqueue();
    ++issued_;
    auto const& records = *steps_.work.records.get();
    core::wait_until(steps_.space, &records.count, issued_);
    return records.probe;
  }

  Steps<Space> steps_;
  std::int64_t& issued_;
};

/// Scalars as they are before the first solve.
struct ResetScalars {
  Scalars* scalars;
  TESSERA_HD void operator()(Index) const { *scalars = Scalars{}; }
};

/// Refines a solve that has stopped near the rounding level, or whose test is row-wise.
/// solve_once(steps, result): one run of conjugate gradients.
template <class Space, class SolveOnce>
class Refinement {
 public:
  Refinement(Steps<Space> const& steps, Result& result, SolveOnce const& solve_once)
      : steps_(steps), parameters_(steps.parameters), result_(result), solve_once_(solve_once) {
    target_ = std::max(steps.relative_tolerance() * result.reference, steps.absolute_tolerance());
  }

  void run() {
    if (!is_asked_for()) return;
    auto& work = steps_.work;
    comm::agree_on_errors(steps_.comm(), "solve", [&] { work.reserve_refinement(steps_.space); });
    current_ = measure(steps_);
    int const limit = is_row_wise() ? 30 : 3;
    for (bool helps = true; helps && is_wanted() && result_.refinements < limit;) helps = correct();
    conclude();
  }

 private:
  struct Measured {
    double residual = 0, row_error = 0;
    RoundingScale scale;
  };

  bool is_row_wise() const { return parameters_.test == Test::row_wise; }
  bool is_asked_for() const {
    if (!parameters_.verify) return false;
    bool const stuck = result_.stop == Stop::stagnated || result_.stop == Stop::rounding_level;
    return stuck || (is_row_wise() && (result_.converged || result_.stop == Stop::max_iterations));
  }
  bool is_converged() const {
    return is_row_wise() ? current_.row_error <= parameters_.tolerance : current_.residual <= target_;
  }
  /// Whether the residual is at most this number of rounding levels.
  bool is_at_level(double levels) const {
    if (is_row_wise())
      return is_rounding_level(current_.row_error, levels * std::numeric_limits<double>::epsilon());
    return is_rounding_level(current_.residual, levels * current_.scale.level());
  }
  int iterations_left() const { return parameters_.max_iterations - result_.iterations; }

  /// The least ||b - A x|| that corrections aim at. The rounding of x alone leaves a tenth of a level and
  /// more.
  double least_residual() const { return current_.scale.level() / 4; }
  bool is_wanted() const {
    double const low = current_.scale.level() / 2;
    bool const unattainable =
        is_row_wise() ? is_at_level(1) : current_.residual <= low && target_ < least_residual();
    return !is_converged() && !unattainable && iterations_left() > 0 && parameters_.max_replacements > 0;
  }

  /// Stores b - A x in work.residual and |A| |x| in work.w.
  Measured measure(Steps<Space> const& at) const {
    auto& work = at.work;
    core::synchronize(at.space);
    work.records->count = 0;
    core::for_each(at.space, 1, ResetScalars{work.scalars.data()});
    std::int64_t issued = 0;
    ResidualProbe<Space> probe(at, issued);
    Measured found;
    found.residual = std::sqrt(probe.residual(work.residual.data()));
    found.scale = probe.scale(at.x.data());
    found.row_error = probe.row_error(work.residual.data());
    return found;
  }

  Parameters parameters_of_correction() const {
    Parameters own = parameters_;
    own.test = Test::relative;
    own.relative_to = RelativeTo::rhs;
    own.start_from_zero = true;
    own.max_iterations = std::min(iterations_left(), std::max(50, 2 * result_.iterations));
    // Row-wise: a quarter of the tolerance, because the test is in the maximum norm, and in several steps,
    // because the weights of rows differ.
    own.tolerance = is_row_wise()
                        ? std::clamp(parameters_.tolerance / (4 * current_.row_error), 1e-6, 0.1)
                        : std::min(0.5, std::max(target_, least_residual()) / (2 * current_.residual));
    return own;
  }

  /// Solves for one correction and adds it if it helps. Returns whether another one may help.
  bool correct() {
    auto const& space = steps_.space;
    auto& work = steps_.work;
    if (is_row_wise())  // else rows of large entries would dominate the norm
      core::for_each(
          space, steps_.n(),
          ZeroConvergedRows{work.residual.data(), work.w.data(), steps_.b.data(), parameters_.tolerance / 4});
    auto const own = parameters_of_correction();
    auto const d = work.correction.span();
    Result inner;
    solve_once_(Steps<Space>{space, steps_.A, steps_.M, work.residual.view(), d, own, work}, inner);
    core::for_each(space, steps_.n(), Add{steps_.x.data(), d.data()});
    auto const corrected = measure({space, steps_.A, steps_.M, steps_.b, d, parameters_, work});
    ++result_.refinements;
    result_.iterations += inner.iterations;
    for (std::size_t i = 1; i < inner.history.size(); ++i)
      result_.history.push_back(inner.history[i] * (inner.reference / result_.reference));
    double const before = is_row_wise() ? current_.row_error : current_.residual;
    double const after = is_row_wise() ? corrected.row_error : corrected.residual;
    if (!(after < before)) return false;
    core::copy(space, Span<double const>(d.data(), d.size()), space, steps_.x);
    current_ = corrected;
    return after < 0.8 * before;
  }

  void conclude() {
    result_.relative_residual = current_.residual / result_.reference;
    result_.rounding_level = current_.scale.level() / result_.reference;
    if (current_.scale.norm > 0) result_.backward_error = current_.residual / current_.scale.norm;
    result_.row_error = current_.row_error;
    result_.converged = is_converged();
    bool const tried = result_.refinements > 0 && iterations_left() > 0;
    result_.stop = result_.converged                                     ? Stop::converged
                   : is_at_level(tried ? levels_left_by_corrections : 1) ? Stop::rounding_level
                   : iterations_left() <= 0                              ? Stop::max_iterations
                                                                         : Stop::stagnated;
    result_.reason.clear();
    if (result_.converged) return;
    comm::agree_on_errors(steps_.comm(), "solve", [&] { result_.reason = explain(result_, 0, parameters_); });
  }

  Steps<Space> steps_;
  Parameters const& parameters_;
  Result& result_;
  SolveOnce const& solve_once_;
  double target_;
  Measured current_;
};

}  // namespace Tessera::krylov
