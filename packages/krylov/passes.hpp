#pragma once
/// \file
/// The vector half of conjugate gradients: bodies of the passes. Each reads its scalars once
/// (core/reduce_into.hpp). After the solve has stopped, a pass changes nothing.
#include <cmath>
#include <type_traits>

#include "krylov/recurrence.hpp"

namespace Tessera::krylov {

/// x = 0, r = b.
struct StartFromZero {
  double const* b;
  double* x;
  double* r;
  TESSERA_HD StartSums operator()(Index i) const {
    double const b_i = b[i];
    x[i] = 0;
    r[i] = b_i;
    return {b_i * b_i, b_i * b_i, fabs(b_i)};
  }
};

/// After r = b - A x.
struct StartBody {
  double const* b;
  double const* r;
  TESSERA_HD StartSums operator()(Index i) const { return {b[i] * b[i], r[i] * r[i], fabs(b[i])}; }
};

/// After w = A z: (r, z), (z, w), and (z, s) if there is a previous direction.
template <class Z>
struct Dots {
  double const* r;
  Z const* z;
  double const* w;
  double const* s;
  Scalars const* scalars;
  bool active = false, with_s = false;
  TESSERA_HD Dots loaded() const {
    auto body = *this;
    body.active = scalars->state == State::running;
    body.with_s = scalars->fresh == 0;
    return body;
  }
  TESSERA_HD DotProducts operator()(Index i) const {
    if (!active) return {};
    double const z_i = z[i];
    return {r[i] * z_i, z_i * w[i], with_s ? z_i * s[i] : 0};
  }
};

/// p = z + beta p, s = w + beta s (which is A p), x += alpha p, r -= alpha s; (r, r). If z is in single
/// precision, the pass also rounds r for the preconditioner.
template <class Z>
struct Update {
  Z const* z;
  double const* w;
  double* p;
  double* s;
  double* x;
  double* r;
  float* rounded;
  Scalars const* scalars;
  double alpha = 0, beta = 0;
  bool active = false;
  TESSERA_HD Update loaded() const {
    auto body = *this;
    body.alpha = scalars->step;
    body.beta = scalars->direction;
    body.active = scalars->state == State::running;
    return body;
  }
  TESSERA_HD double operator()(Index i) const {
    if (!active) return 0;
    double p_i = z[i], s_i = w[i];
    if (beta != 0) {  // else p and s may be undefined
      p_i += beta * p[i];
      s_i += beta * s[i];
    }
    double const r_i = r[i] - alpha * s_i;
    x[i] += alpha * p_i;
    p[i] = p_i;
    s[i] = s_i;
    r[i] = r_i;
    if (std::is_same_v<Z, float>) rounded[i] = static_cast<float>(r_i);
    return r_i * r_i;
  }
};

/// v -= z
template <class Z>
struct Subtract {
  static constexpr int loop_steps = 1;
  Z const* z;
  double* v;
  TESSERA_HD void operator()(Index i) const { v[i] -= z[i]; }
};

/// (u, v)
struct Dot {
  static constexpr int loop_steps = 1;
  double const* u;
  double const* v;
  TESSERA_HD ProbeSums operator()(Index i) const { return {u[i] * v[i], 0, 0}; }
};

/// After w = |A| |v|, or weights times |A| |v|: || w + |b| ||^2, (|v|, w), (v, v).
struct MagnitudeSums {
  double const* v;
  double const* w;
  double const* b;
  TESSERA_HD ProbeSums operator()(Index i) const {
    double const sum = w[i] + fabs(b[i]);
    return {sum * sum, fabs(v[i]) * w[i], v[i] * v[i]};
  }
};

/// After w = |A| |x|: |r|_i / (|A| |x| + |b|)_i. NaN counts as infinite.
struct RowError {
  double const* r;
  double const* w;
  double const* b;
  TESSERA_HD ProbeSums operator()(Index i) const {
    double const r_i = fabs(r[i]), scale = w[i] + fabs(b[i]);
    if (r_i == 0) return {};
    double const error = r_i / scale;
    return {finite(error) && finite(scale) ? error : HUGE_VAL, 0, 0};
  }
};

/// After w = |A| |x|: r_i = 0 in rows whose row error is at most `tolerance`.
struct ZeroConvergedRows {
  double* r;
  double const* w;
  double const* b;
  double tolerance;
  TESSERA_HD void operator()(Index i) const {
    if (fabs(r[i]) <= tolerance * (w[i] + fabs(b[i]))) r[i] = 0;
  }
};

/// d += x
struct Add {
  static constexpr int loop_steps = 1;
  double const* x;
  double* d;
  TESSERA_HD void operator()(Index i) const { d[i] += x[i]; }
};

/// After w = A v: (b, v), (v, w), (w, w).
struct EnergySums {
  double const* v;
  double const* w;
  double const* b;
  TESSERA_HD ProbeSums operator()(Index i) const { return {b[i] * v[i], v[i] * w[i], w[i] * w[i]}; }
};

}  // namespace Tessera::krylov
