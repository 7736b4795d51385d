#pragma once
/// \file
/// The passes of a K-cycle: a coarse problem A x = b is solved by one or two steps of flexible conjugate
/// gradients from zero, preconditioned by a cycle of its level (Notay and Vassilevski 2008, Algorithm 3.1;
/// Brannick et al. 2013, section 4.3). With c = M(b) and d = M(b - alpha A c),
///
///     x = alpha c + gamma (d + beta c),  alpha = (c, b) / (c, A c),  beta = -(d, A c) / (c, A c).
///
/// The second step is taken if the first leaves more than a quarter of ||b||. A space that runs ahead of the
/// host always does the work of the second step, because the host would have to wait for the decision. If the
/// step is not wanted, gamma is 0, and x is bitwise the same.
#include <algorithm>
#include <cmath>

#include "comm/fused_product.hpp"
#include "core/parallel.hpp"
#include "krylov/recurrence.hpp"
#include "multigrid/levels/level.hpp"

namespace Tessera::multigrid {

/// One step suffices if it leaves at most this part of (b, b).
constexpr double sufficient_reduction = 0.25 * 0.25;

/// (p, r) / (p, A p). 0 if the energy of p is only rounding errors of float, as for vectors of a nullspace:
/// on other vectors M^-1 A has no eigenvalues that small.
TESSERA_HD inline double step_along(double pr, double energy) {
  constexpr double lost_in_float = 1e-6;
  return energy > lost_in_float * fabs(pr) ? pr / energy : 0;
}

struct FirstSums {
  double cv = 0, cb = 0, bb = 0, bv = 0, vv = 0;
  TESSERA_HD FirstSums operator+(FirstSums const& other) const {
    return {cv + other.cv, cb + other.cb, bb + other.bb, bv + other.bv, vv + other.vv};
  }
};

/// After v = A c.
template <class T>
struct FirstDots {
  T const *c, *v, *b;
  TESSERA_HD FirstSums operator()(Index i) const {
    double const c_i = c[i], v_i = v[i], b_i = b[i];
    return {c_i * v_i, c_i * b_i, b_i * b_i, b_i * v_i, v_i * v_i};
  }
};

struct FinishFirst {
  StepLengths* lengths;
  TESSERA_HD void operator()(FirstSums const& sums) const {
    double const alpha = step_along(sums.cb, sums.cv);
    double const left = sums.bb - alpha * (2 * sums.bv - alpha * sums.vv);
    *lengths = {alpha, 0, sums.cv, alpha != 0 && left > sufficient_reduction * sums.bb};
  }
};

/// b -= alpha v; copies x to c, because the next cycle overwrites x by d.
template <class T>
struct ApplyFirstStep {
  static constexpr int loop_steps = 2;
  StepLengths const* lengths;
  T const *x, *v;
  T *c, *b;
  TESSERA_HD void operator()(Index i) const {
    c[i] = x[i];
    b[i] -= static_cast<T>(lengths->first) * v[i];
  }
};

struct SecondSums {
  double dw = 0, dv = 0, db = 0;
  TESSERA_HD SecondSums operator+(SecondSums const& other) const {
    return {dw + other.dw, dv + other.dv, db + other.db};
  }
};

/// After w = A d.
template <class T>
struct SecondDots {
  T const *d, *w, *v, *b;
  TESSERA_HD SecondSums operator()(Index i) const {
    double const d_i = d[i];
    return {d_i * w[i], d_i * v[i], d_i * b[i]};
  }
};

struct FinishSecond {
  StepLengths* lengths;
  TESSERA_HD void operator()(SecondSums const& sums) const {
    auto& s = *lengths;
    if (!s.second_wanted) return;
    double const beta = -sums.dv / s.energy;
    double const energy = krylov::energy_of(sums.dw, sums.dv, beta, s.energy);
    if (!(energy > krylov::lost_energy * sums.dw)) return;  // d is along c
    s.second = step_along(sums.db, energy);
    s.first += s.second * beta;
  }
};

/// x = first c + second d, where x holds d. A vector with length 0 may be undefined.
template <class T>
struct CombineSteps {
  static constexpr int loop_steps = 2;
  StepLengths const* lengths;
  T const* c;
  T* x;
  TESSERA_HD void operator()(Index i) const {
    auto const first = static_cast<T>(lengths->first), second = static_cast<T>(lengths->second);
    T sum = first != 0 ? first * c[i] : T(0);
    if (second != 0) sum += second * x[i];
    x[i] = sum;
  }
};

/// After a cycle work.x holds c. Measures the first step and subtracts it from work.b.
template <class T, class Space>
struct FirstStep {
  Level<T, Space>& level;
  void run(Space const& space) const {
    auto& work = level.work;
    auto& steps = *level.steps;
    comm::multiply_into<FirstSums>(space, level.A, work.x.view(), sparse::StoreProduct<T>{steps.v.data()},
                                   FirstDots<T>{work.x.data(), steps.v.data(), work.b.data()},
                                   FinishFirst{steps.lengths.data()}, steps.global_reduction);
    core::for_each(space, work.x.size(),
                   ApplyFirstStep<T>{steps.lengths.data(), work.x.data(), steps.v.data(), steps.c.data(),
                                     work.b.data()});
  }
  double bytes() const { return static_cast<double>(level.A.product_bytes() + 8 * level.work.x.bytes()); }
  bool enqueues_only(Space const& space) const {
    return level.A.halo().recordable(space, sizeof(T)) && level.steps->global_reduction.enqueues_only();
  }
};

/// After another cycle work.x holds d. Measures the second step.
template <class T, class Space>
struct MeasureSecondStep {
  Level<T, Space>& level;
  void run(Space const& space) const {
    auto& work = level.work;
    auto& steps = *level.steps;
    comm::multiply_into<SecondSums>(
        space, level.A, work.x.view(), sparse::StoreProduct<T>{work.r.data()},
        SecondDots<T>{work.x.data(), work.r.data(), steps.v.data(), work.b.data()},
        FinishSecond{steps.lengths.data()}, steps.global_reduction);
  }
  double bytes() const { return static_cast<double>(level.A.product_bytes() + 4 * level.work.x.bytes()); }
  bool enqueues_only(Space const& space) const { return FirstStep<T, Space>{level}.enqueues_only(space); }
};

template <class X, class T, class Space, class Execute>
void cycle(Levels<T, Space> const& levels, Execute const& execute, std::size_t l, bool from_zero,
           CycleType type);

/// The cycle for d and the measurement of the second step, as one pass. The host skips it if it is not
/// wanted.
template <class T, class Space>
struct SecondStep {
  Levels<T, Space> const& levels;
  std::size_t l;

  template <class Execute>
  void passes(Execute const& execute) const {
    cycle<T>(levels, execute, l, true, CycleType::K);
    execute(MeasureSecondStep<T, Space>{*levels.level[l]});
  }
  void run(Space const& space) const {
    if (core::SpaceTraits<Space>::asynchronous || levels.level[l]->steps->lengths.data()->second_wanted)
      passes([&](auto const& pass) { pass.run(space); });
  }
  double bytes() const {
    double sum = 0;
    passes([&](auto const& pass) { sum += pass.bytes(); });
    return sum;
  }
  bool enqueues_only(Space const& space) const {
    bool all = true;
    passes([&](auto const& pass) { all &= pass.enqueues_only(space); });
    return all;
  }
};

/// work.x = first c + second d.
template <class T, class Space>
struct ApplySteps {
  Level<T, Space>& level;
  void run(Space const& space) const {
    auto& x = level.work.x;
    core::for_each(space, x.size(),
                   CombineSteps<T>{level.steps->lengths.data(), level.steps->c.data(), x.data()});
  }
  double bytes() const { return static_cast<double>(3 * level.work.x.bytes()); }
  bool enqueues_only(Space const&) const { return true; }
};

/// Whether level l is the last one and solved exactly, so that a second cycle would change nothing.
template <class T, class Space>
bool solves_exactly(Levels<T, Space> const& levels, std::size_t l) {
  return levels.coarse && l + 1 == levels.level.size();
}

/// Allocates vectors for the steps of a K-cycle, if level l takes them. If this level and all coarser ones
/// lie on rank 0, only rank 0 sums. Collective.
template <class T, class Space>
void make_room_for_steps(Space const& space, Levels<T, Space> const& levels, std::size_t l) {
  auto const& p = levels.parameters;
  if (p.cycle != CycleType::K || l == 0 || l > static_cast<std::size_t>(p.k_levels) ||
      solves_exactly(levels, l))
    return;
  auto const& rows = levels.level[l]->rows;
  bool const alone =
      std::all_of(levels.level.begin() + static_cast<std::ptrdiff_t>(l), levels.level.end(),
                  [](auto const& one) { return one->rows.begin(1) == one->rows.global_size(); });
  levels.level[l]->steps.emplace(space, alone ? comm::Communicator() : rows.comm(),
                                 static_cast<std::size_t>(rows.local_size()));
}

}  // namespace Tessera::multigrid
