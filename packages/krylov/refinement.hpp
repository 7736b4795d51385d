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
  /// issued: records that are posted by what has been enqueued; looks add theirs.
  ResidualProbe(Steps<Space> const& steps, std::int64_t& issued) : steps_(steps), issued_(issued) {}

  /// || b - A x ||^2; b - A x goes into `into`, which may be r or w.
  double residual(double* into) {
    return take([&] { steps_.residual(into); }).a;
  }

  /// Of v, an owned vector. Changes w, as the next one does.
  RoundingScale scale(double const* v) {
    auto const weighted = take([&] { steps_.weighted_magnitudes(v); });
    auto const sums = take([&] { steps_.magnitudes(v); });
    return {std::sqrt(sums.a), sums.b, std::sqrt(weighted.a), 0};
  }

  /// Behind scale(x), of an r that is not w: the largest |r|_i / (|A| |x| + |b|)_i.
  double row_error(double const* r) {
    return take([&] { steps_.row_error(r); }).a;
  }

  Direction direction(double const* v) {
    auto const magnitudes = take([&] { steps_.magnitudes(v); }), energy = take([&] { steps_.energy(v); });
    return {energy.a, magnitudes.b, magnitudes.c, energy.b, energy.c};
  }

  /// Of r without what A and M^-1 take away; needs an M. Changes w, z and s.
  Direction remainder() {
    auto& work = steps_.work;
    core::copy(steps_.space, work.r.view(), steps_.space, work.s.span());
    for (int step = 0; step < 2; ++step) {  // the second for an M in single precision
      take([&] { steps_.energy(work.s.data()); });
      steps_.subtract_preconditioned(work.w.data(), work.s.data());
    }
    return direction(work.s.data());
  }
  /// s = A p, but for rounding.
  void restore_s() {
    auto& work = steps_.work;
    take([&] { steps_.energy(work.p.data()); });
    core::copy(steps_.space, work.w.view(), steps_.space, work.s.span());
  }

  double dot(double const* u, double const* v) {
    return take([&] { steps_.dot(u, v); }).a;
  }

 private:
  template <class Enqueue>
  Sums take(Enqueue const& enqueue) {
    enqueue();
    ++issued_;
    auto const& records = *steps_.work.records.get();
    core::wait_until(steps_.space, &records.count, issued_);
    return records.found;
  }

  Steps<Space> steps_;
  std::int64_t& issued_;
};

/// Scalars as before the first solve.
struct ResetScalars {
  Scalars* scalars;
  TESSERA_HD void operator()(Index) const { *scalars = Scalars{}; }
};

/// Of a solve that has stopped near the rounding level, or whose test is one that scalars do not know.
/// once(steps, result): one run of conjugate gradients.
template <class Space, class Once>
class Refinement {
 public:
  Refinement(Steps<Space> const& steps, Result& result, Once const& once)
      : steps_(steps), parameters_(steps.parameters), result_(result), once_(once) {
    target_ = std::max(steps.relative_tolerance() * result.reference, steps.absolute_tolerance());
  }

  void run() {
    if (!is_asked_for()) return;
    auto& work = steps_.work;
    comm::agree_on_errors(steps_.comm(), [&] {
      core::with_memory_context([] { return "solve"; }, [&] { work.reserve_refinement(steps_.space); });
    });
    now_ = measure(steps_);
    int const most = is_row_wise() ? 30 : 3;
    for (bool helps = true; helps && is_wanted() && result_.refinements < most;) helps = correct();
    conclude();
  }

 private:
  struct Found {
    double residual = 0, row_error = 0;
    RoundingScale scale;
  };

  bool is_row_wise() const { return parameters_.test == Test::row_wise; }
  bool is_asked_for() const {
    if (!parameters_.verify) return false;
    bool const stuck = result_.stop == Stop::stagnated || result_.stop == Stop::rounding_level;
    return stuck || (is_row_wise() && (result_.converged || result_.stop == Stop::max_iterations));
  }
  bool is_met() const {
    return is_row_wise() ? now_.row_error <= parameters_.tolerance : now_.residual <= target_;
  }
  /// Within so many levels.
  bool is_at_level(double levels) const {
    if (is_row_wise())
      return is_rounding_level(now_.row_error, levels * std::numeric_limits<double>::epsilon());
    return is_rounding_level(now_.residual, levels * now_.scale.level());
  }
  int left() const { return parameters_.max_iterations - result_.iterations; }

  /// What b - A x may come down to: the rounding of x leaves a tenth of a level and more.
  double lowest() const { return now_.scale.level() / 4; }
  bool is_wanted() const {
    double const low = now_.scale.level() / 2;
    bool const hopeless = is_row_wise() ? is_at_level(1) : now_.residual <= low && target_ < lowest();
    return !is_met() && !hopeless && left() > 0 && parameters_.max_replacements > 0;
  }

  /// b - A x into work.rest, |A| |x| into work.w.
  Found measure(Steps<Space> const& at) const {
    auto& work = at.work;
    core::synchronize(at.space);
    work.records->count = 0;
    core::for_each(at.space, 1, ResetScalars{work.scalars.data()});
    std::int64_t issued = 0;
    ResidualProbe<Space> probe(at, issued);
    Found found;
    found.residual = std::sqrt(probe.residual(work.rest.data()));
    found.scale = probe.scale(at.x.data());
    found.row_error = probe.row_error(work.rest.data());
    return found;
  }

  Parameters for_correction() const {
    Parameters own = parameters_;
    own.test = Test::relative;
    own.relative_to = RelativeTo::rhs;
    own.start_from_zero = true;
    own.max_iterations = std::min(left(), std::max(50, 2 * result_.iterations));
    // A quarter of what is wanted for a maximum norm, and in steps, since the weights of rows differ.
    own.tolerance = is_row_wise() ? std::clamp(parameters_.tolerance / (4 * now_.row_error), 1e-6, 0.1)
                                  : std::min(0.5, std::max(target_, lowest()) / (2 * now_.residual));
    return own;
  }

  /// One correction, which is taken where it helps. Whether another may.
  bool correct() {
    auto const& space = steps_.space;
    auto& work = steps_.work;
    if (is_row_wise())  // else rows of large entries would hide the others in the norm
      core::for_each(
          space, steps_.n(),
          LeaveOutMetRows{work.rest.data(), work.w.data(), steps_.b.data(), parameters_.tolerance / 4});
    auto const own = for_correction();
    auto const d = work.correction.span();
    Result inner;
    once_(Steps<Space>{space, steps_.A, steps_.M, work.rest.view(), d, own, work}, inner);
    core::for_each(space, steps_.n(), Add{steps_.x.data(), d.data()});
    auto const then = measure({space, steps_.A, steps_.M, steps_.b, d, parameters_, work});
    ++result_.refinements;
    result_.iterations += inner.iterations;
    for (std::size_t i = 1; i < inner.history.size(); ++i)
      result_.history.push_back(inner.history[i] * (inner.reference / result_.reference));
    double const before = is_row_wise() ? now_.row_error : now_.residual;
    double const after = is_row_wise() ? then.row_error : then.residual;
    if (!(after < before)) return false;
    core::copy(space, Span<double const>(d.data(), d.size()), space, steps_.x);
    now_ = then;
    return after < 0.8 * before;
  }

  void conclude() {
    result_.relative_residual = now_.residual / result_.reference;
    result_.rounding_level = now_.scale.level() / result_.reference;
    if (now_.scale.norm > 0) result_.backward_error = now_.residual / now_.scale.norm;
    result_.row_error = now_.row_error;
    result_.converged = is_met();
    bool const tried = result_.refinements > 0 && left() > 0;
    result_.stop = result_.converged                              ? Stop::converged
                   : is_at_level(tried ? left_by_corrections : 1) ? Stop::rounding_level
                   : left() <= 0                                  ? Stop::max_iterations
                                                                  : Stop::stagnated;
    result_.reason.clear();
    if (result_.converged) return;
    comm::agree_on_errors(steps_.comm(), [&] {
      core::with_memory_context([] { return "solve"; },
                               [&] { result_.reason = explain(result_, 0, parameters_); });
    });
  }

  Steps<Space> steps_;
  Parameters const& parameters_;
  Result& result_;
  Once const& once_;
  double target_;
  Found now_;
};

/// Collective.
template <class Space, class Once>
void refine(Steps<Space> const& steps, Result& result, Once const& once) {
  Refinement<Space, Once>(steps, result, once).run();
}

}  // namespace Tessera::krylov
