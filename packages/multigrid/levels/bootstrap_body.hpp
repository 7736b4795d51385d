#pragma once
/// \file
/// The implementation of Bootstrap.
#include <algorithm>
#include <optional>

#include "comm/fused_product.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/timer.hpp"
#include "multigrid/levels/bootstrap.hpp"
#include "multigrid/slow_error.hpp"
#include "sparse/convert.hpp"

namespace Tessera::multigrid {

/// After A e, for a component's correction e of the residual r: x += e, next_r = r - A e.
template <class T>
struct AddCorrection {
  T const *e, *r;
  T *x, *next_r;
  bool from_zero;
  template <class Sum>
  TESSERA_HD void operator()(Index i, Sum sum) const {
    x[i] = from_zero ? e[i] : x[i] + e[i];
    next_r[i] = r[i] - static_cast<T>(sum);
  }
};

/// x += e, for the last component.
template <class T>
struct AddLastCorrection {
  static constexpr int loop_steps = 1;
  T const* e;
  T* x;
  bool from_zero;
  TESSERA_HD void operator()(Index i) const { x[i] = from_zero ? e[i] : x[i] + e[i]; }
};

template <class T, class Space>
Bootstrap<T, Space>::Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A,
                               Array<VertexId, Space> ids, NearNullspace const& nullspace,
                               Parameters const& parameters, LevelObserver const& on_level)
    : space_(space) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    make(A, ids, nullspace, parameters, on_level);
    core::with_memory_context("setup, level 0", [&] { gather_warnings(); });
  });
}

template <class T, class Space>
Bootstrap<T, Space>::Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A,
                               Array<VertexId, Space> ids, Parameters const& parameters, core::Archive& saved)
    : space_(space) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    core::with_memory_context("load", [&] { x_ = Array<T, Space>(space, A.local.rows); });
    archive(saved, A, ids.view(), parameters);
    core::with_memory_context("load", [&] { gather_warnings(); });
  });
}

template <class T, class Space>
void Bootstrap<T, Space>::make(comm::DistCsr<double, Space> const& A, Array<VertexId, Space> const& ids,
                               NearNullspace const& nullspace, Parameters const& parameters,
                               LevelObserver const& on_level) {
  auto const& wanted = parameters.bootstrap;
  auto of_components = parameters;
  own_warnings_ = std::exchange(of_components.warnings, {});
  NearNullspace of_next;
  std::optional<SlowError<Space>> slow;
  auto const* const where = "setup, level 0";
  core::with_memory_context(where, [&] {
    x_ = Array<T, Space>(space_, A.local.rows);
    components_.reserve(wanted.components);
    of_next = nullspace;
  });
  while (true) {
    Array<VertexId, Space> own_ids;
    core::with_memory_context(where, [&] { own_ids = core::copied(space_, ids.view(), space_); });
    components_.emplace_back(space_, A, std::move(own_ids), of_next, of_components, on_level);
    core::with_memory_context(where, [&] {
      core::PhaseTimer<Space> const timer(space_, phases_, "bootstrap");
      if (!slow) slow.emplace(space_, A, ids.view(), nullspace, parameters.equations);
      rates_.push_back(slow->measure(wanted.sweeps, [&](auto r, auto e) { apply(r, e); }));
      of_next.rigid_body = {};  // its vector replaces rigid-body modes
      of_next.vectors = 1;
      of_next.value_columns.clear();
      of_next.values = core::to_vector(space_, slow->vector());
    });
    auto const made = static_cast<int>(components_.size());
    positive_ = made == 1 || slow->found_positive();
    if (!positive_ && std::is_same_v<T, double>) discard_last_component();
    if (!positive_ || slow->reached_rounding() || !components_.back().double_precision_reason().empty())
      break;
    if (rates_.back() <= wanted.convergence_rate || made == wanted.components) break;
  }
}

template <class T, class Space>
void Bootstrap<T, Space>::discard_last_component() {
  own_warnings_.push_back(core::message("component ", components_.size(),
                                        " of the bootstrap is left out, because with it the composite is not "
                                        "positive definite"));
  components_.pop_back();
  rates_.pop_back();
}

template <class T, class Space>
void Bootstrap<T, Space>::archive(core::Archive& file, comm::DistCsr<double, Space> const& A,
                                  Span<VertexId const> ids, Parameters const& parameters) {
  auto& [where, hierarchies, after_each, sum, times, own, all, known, is_known, composes] = *this;
  file.part("a bootstrap");
  file(after_each, own, composes);
  if (!file.saves()) {
    double const count = static_cast<double>(after_each.size());
    double sum = 0;
    for (double const rate : after_each) sum += rate;
    comm::require_same_on_ranks(file, A.rows.comm(), count, sum, composes);
    file.require(count >= 1 && count <= parameters.bootstrap.components && std::isfinite(sum), count,
                 " hierarchies, where there should be at most ", parameters.bootstrap.components);
  }
  if (file.saves()) {
    for (auto& one : hierarchies) one.save(A, file);
    return;
  }
  auto of_components = parameters;
  of_components.warnings.clear();
  for (std::size_t k = 0; k < after_each.size(); ++k)
    hierarchies.emplace_back(where, A, core::copied(where, ids, where), of_components, file);
}

template <class T, class Space>
void Bootstrap<T, Space>::refresh(comm::DistCsr<double, Space> const& A) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    phases_.clear();
    for (auto& one : components_) one.refresh(A);
    core::with_memory_context("refresh", [&] { gather_warnings(); });
  });
}

template <class T, class Space>
void Bootstrap<T, Space>::apply() {
  for (std::size_t cycle = 0; cycle < cycles(); ++cycle) {
    auto& B = component_of(cycle);
    B.apply();
    auto const e = B.output().part(0, x_.size());
    bool const from_zero = cycle == 0;
    if (cycle + 1 == cycles()) {
      core::for_each(space_, x_.size(), AddLastCorrection<T>{e.data(), x_.data(), from_zero});
    } else {
      auto const next_r = component_of(cycle + 1).input();
      comm::multiply_fused(space_, B.matrix(), e,
                           AddCorrection<T>{e.data(), B.input().data(), x_.data(), next_r.data(), from_zero});
    }
  }
}

template <class T, class Space>
void Bootstrap<T, Space>::apply(Span<double const> b, Span<double> x) {
  sparse::convert(space_, b, input());
  apply();
  sparse::convert(space_, x_.view(), x);
}

template <class T, class Space>
std::string Bootstrap<T, Space>::double_precision_reason() const {
  for (auto const& one : components_)
    if (auto why = one.double_precision_reason(); !why.empty()) return why;
  return positive_ || std::is_same_v<T, double>
             ? ""
             : "hierarchies in float compose to one that is not positive definite";
}

template <class T, class Space>
void Bootstrap<T, Space>::gather_warnings() {
  reported_ = false;
  warnings_ = own_warnings_;
  for (std::size_t k = 0; k < components_.size(); ++k) {
    for (auto const& warning : components_[k].warnings())
      warnings_.push_back(core::message("component ", k + 1, " of the bootstrap: ", warning));
  }
}

template <class T, class Space>
void Bootstrap<T, Space>::make_report() {
  auto const& comm = components_.front().matrix().halo().distribution().comm();
  auto const of_all_ranks = [&](std::size_t bytes) { return comm.sum(static_cast<double>(bytes)); };
  auto const conversions = of_all_ranks(2 * (sizeof(double) + sizeof(T)) * x_.size());
  auto const products = of_all_ranks(components_.front().matrix().product_bytes() + 5 * x_.bytes());
  report_ = {};
  for (std::size_t k = 0; k < components_.size(); ++k) {
    auto const& one = components_[k].report();
    int const visits = k + 1 == components_.size() ? 1 : 2;
    report_.levels.insert(report_.levels.end(), one.levels.begin(), one.levels.end());
    report_.components.push_back({one.levels.size(), rates_[k]});
    report_.operator_complexity += one.operator_complexity;
    report_.grid_complexity += one.grid_complexity;
    report_.cycle_bytes += visits * (one.cycle_bytes - conversions);
    report_.refresh_bytes += one.refresh_bytes;
    for (auto const& [phase, seconds] : one.phases) report_.phases[phase] += seconds;
    report_.cycle = one.cycle;
    report_.backend = one.backend;
    report_.precision = one.precision;
  }
  report_.cycle_bytes +=
      conversions + static_cast<double>(cycles() - 1) * products + 3 * of_all_ranks(x_.bytes());
  for (auto const& [phase, seconds] : phases_) report_.phases[phase] += comm.max(seconds);
  report_.warnings = warnings_;
}

template <class T, class Space>
HierarchyReport const& Bootstrap<T, Space>::report() {
  if (reported_) return report_;
  comm::agree_on_errors(comm(), "report", [&] { make_report(); });
  reported_ = true;
  return report_;
}

template <class T, class Space>
std::unique_ptr<comm::TypedOperator<T, Space>> make_levels(
    Space const& space, comm::DistCsr<double, Space> const& A, Array<VertexId, Space> ids,
    NearNullspace const& nullspace, Parameters const& parameters, LevelObserver const& on_level) {
  if (parameters.bootstrap.components > 1)
    return std::make_unique<Bootstrap<T, Space>>(space, A, std::move(ids), nullspace, parameters, on_level);
  return std::make_unique<Hierarchy<T, Space>>(space, A, std::move(ids), nullspace, parameters, on_level);
}

template <class T, class Space>
std::unique_ptr<comm::TypedOperator<T, Space>> load_levels(Space const& space,
                                                           comm::DistCsr<double, Space> const& A,
                                                           Array<VertexId, Space> ids,
                                                           Parameters const& parameters,
                                                           core::Archive& saved) {
  if (parameters.bootstrap.components > 1)
    return std::make_unique<Bootstrap<T, Space>>(space, A, std::move(ids), parameters, saved);
  return std::make_unique<Hierarchy<T, Space>>(space, A, std::move(ids), parameters, saved);
}

}  // namespace Tessera::multigrid
