#pragma once
/// \file
/// What the host looks at while a solve is stopped or paused: sums that cost a pass over the matrix each.
#include <cmath>

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

}  // namespace Tessera::krylov
