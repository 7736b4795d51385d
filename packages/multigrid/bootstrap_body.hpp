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
#include "multigrid/bootstrap.hpp"
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
struct Bootstrap<T, Space>::State {
  Space space;
  std::vector<Hierarchy<T, Space>> components;
  std::vector<double> rates;  ///< after each component
  Array<T, Space> x;
  core::PhaseTimes phases;                          ///< of the setup, without those of components
  std::vector<std::string> own_warnings, warnings;  ///< warnings: including those of components
  HierarchyReport report;
  bool reported = false;
  bool positive = true;

  State(Space const& where, std::size_t rows) : space(where), x(where, rows) {}

  /// The number of cycles in an application.
  std::size_t cycles() const { return 2 * components.size() - 1; }
  Hierarchy<T, Space>& component_of(std::size_t cycle) {
    return components[std::min(cycle, cycles() - 1 - cycle)];
  }

  void apply() {
    for (std::size_t cycle = 0; cycle < cycles(); ++cycle) {
      auto& B = component_of(cycle);
      B.apply();
      auto const e = B.output().part(0, x.size());
      bool const from_zero = cycle == 0;
      if (cycle + 1 == cycles()) {
        core::for_each(space, x.size(), AddLastCorrection<T>{e.data(), x.data(), from_zero});
      } else {
        auto const next_r = component_of(cycle + 1).input();
        comm::multiply_fused(
            space, B.matrix(), e,
            AddCorrection<T>{e.data(), B.input().data(), x.data(), next_r.data(), from_zero});
      }
    }
  }
  void apply(Span<double const> b, Span<double> to) {
    sparse::convert(space, b, components.front().input());
    apply();
    sparse::convert(space, x.view(), to);
  }

  void make(comm::DistCsr<double, Space> const& A, Array<VertexId, Space> const& ids,
            NearNullspace const& nullspace, Parameters const& parameters, LevelObserver const& on_level) {
    auto const& wanted = parameters.bootstrap;
    auto of_components = parameters;
    own_warnings = std::exchange(of_components.warnings, {});
    NearNullspace of_next;
    std::optional<SlowError<Space>> slow;
    auto const where = [] { return "setup, level 0"; };
    core::with_memory_context(where, [&] {
      components.reserve(wanted.components);
      of_next = nullspace;
    });
    while (true) {
      Array<VertexId, Space> own_ids;
      core::with_memory_context(where, [&] { own_ids = core::copied(space, ids.view(), space); });
      components.emplace_back(space, A, std::move(own_ids), of_next, of_components, on_level);
      core::with_memory_context(where, [&] {
        core::PhaseTimer<Space> const timer(space, phases, "bootstrap");
        if (!slow) slow.emplace(space, A, ids.view(), nullspace, parameters.equations);
        rates.push_back(slow->measure(wanted.sweeps, [&](auto r, auto e) { apply(r, e); }));
        of_next.rigid_body = {};  // its vector replaces rigid-body modes
        of_next.vectors = 1;
        of_next.values = core::to_vector(space, slow->vector());
      });
      auto const made = static_cast<int>(components.size());
      positive = made == 1 || slow->found_positive();
      if (!positive && std::is_same_v<T, double>) discard_last_component();
      if (!positive || slow->reached_rounding() || !components.back().double_precision_reason().empty())
        break;
      if (rates.back() <= wanted.convergence_rate || made == wanted.components) break;
    }
  }
  void discard_last_component() {
    own_warnings.push_back(
        core::message("component ", components.size(),
                      " of the bootstrap is left out, because with it the composite is not "
                      "positive definite"));
    components.pop_back();
    rates.pop_back();
  }

  /// A load is collective. It recomputes the rest.
  void archive(core::Archive& file, comm::DistCsr<double, Space> const& A, Span<VertexId const> ids,
               Parameters const& parameters) {
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

  std::string double_precision_reason() const {
    for (auto const& one : components)
      if (auto why = one.double_precision_reason(); !why.empty()) return why;
    return positive || std::is_same_v<T, double>
               ? ""
               : "hierarchies in float compose to one that is not positive definite";
  }

  void gather_warnings() {
    reported = false;
    warnings = own_warnings;
    for (std::size_t k = 0; k < components.size(); ++k) {
      for (auto const& warning : components[k].warnings())
        warnings.push_back(core::message("component ", k + 1, " of the bootstrap: ", warning));
    }
  }

  /// Calls fetch(component, its level) for a level of the report.
  template <class Fetch>
  auto of_component(std::size_t level, Fetch const& fetch) const {
    std::size_t k = 0;
    for (; level >= components.at(k).level_count(); ++k) level -= components[k].level_count();
    return fetch(components[k], level);
  }

  void make_report() {
    auto const& comm = components.front().matrix().halo().distribution().comm();
    auto const of_all_ranks = [&](std::size_t bytes) { return comm.sum(static_cast<double>(bytes)); };
    auto const conversions = of_all_ranks(2 * (sizeof(double) + sizeof(T)) * x.size());
    auto const products = of_all_ranks(components.front().matrix().product_bytes() + 5 * x.bytes());
    report = {};
    for (std::size_t k = 0; k < components.size(); ++k) {
      auto const& one = components[k].report();
      int const visits = k + 1 == components.size() ? 1 : 2;
      report.levels.insert(report.levels.end(), one.levels.begin(), one.levels.end());
      report.components.push_back({one.levels.size(), rates[k]});
      report.operator_complexity += one.operator_complexity;
      report.grid_complexity += one.grid_complexity;
      report.cycle_bytes += visits * (one.cycle_bytes - conversions);
      report.refresh_bytes.kept += one.refresh_bytes.kept;
      report.refresh_bytes.memory += one.refresh_bytes.memory;
      for (auto const& [phase, seconds] : one.phases) report.phases[phase] += seconds;
      report.cycle = one.cycle;
      report.backend = one.backend;
      report.precision = one.precision;
    }
    report.cycle_bytes +=
        conversions + static_cast<double>(cycles() - 1) * products + 3 * of_all_ranks(x.bytes());
    for (auto const& [phase, seconds] : phases) report.phases[phase] += comm.max(seconds);
    report.warnings = warnings;
  }
};

template <class T, class Space>
Bootstrap<T, Space>::Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A,
                               Array<VertexId, Space> ids, NearNullspace const& nullspace,
                               Parameters const& parameters, LevelObserver const& on_level) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    core::with_memory_context([] { return "setup, level 0"; },
                              [&] { state_ = std::make_unique<State>(space, A.local.rows); });
    state_->make(A, ids, nullspace, parameters, on_level);
    core::with_memory_context([] { return "setup, level 0"; }, [&] { state_->gather_warnings(); });
  });
}

template <class T, class Space>
Bootstrap<T, Space>::Bootstrap(Space const& space, comm::DistCsr<double, Space> const& A,
                               Array<VertexId, Space> ids, Parameters const& parameters,
                               core::Archive& saved) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    auto const where = [] { return "load"; };
    core::with_memory_context(where, [&] { state_ = std::make_unique<State>(space, A.local.rows); });
    state_->archive(saved, A, ids.view(), parameters);
    core::with_memory_context(where, [&] { state_->gather_warnings(); });
  });
}

template <class T, class Space>
void Bootstrap<T, Space>::save(comm::DistCsr<double, Space> const& A, core::Archive& file) {
  state_->archive(file, A, {}, {});
}

template <class T, class Space>
Bootstrap<T, Space>::Bootstrap(Bootstrap&&) noexcept = default;
template <class T, class Space>
Bootstrap<T, Space>& Bootstrap<T, Space>::operator=(Bootstrap&&) noexcept = default;
template <class T, class Space>
Bootstrap<T, Space>::~Bootstrap() = default;

template <class T, class Space>
void Bootstrap<T, Space>::refresh(comm::DistCsr<double, Space> const& A) {
  comm::agree_on_errors(A.rows.comm(), [&] {
    state_->phases.clear();
    for (auto& one : state_->components) one.refresh(A);
    core::with_memory_context([] { return "refresh"; }, [&] { state_->gather_warnings(); });
  });
}

template <class T, class Space>
void Bootstrap<T, Space>::apply(Span<double const> b, Span<double> x) {
  state_->apply(b, x);
}

template <class T, class Space>
void Bootstrap<T, Space>::apply() {
  state_->apply();
}

template <class T, class Space>
Span<T> Bootstrap<T, Space>::input() {
  return state_->components.front().input();
}

template <class T, class Space>
Span<T const> Bootstrap<T, Space>::output() const {
  return state_->x.view();
}

template <class T, class Space>
bool Bootstrap<T, Space>::enqueues_only() const {
  auto const& all = state_->components;
  return all.front().matrix().halo().recordable(state_->space, sizeof(T)) &&
         std::all_of(all.begin(), all.end(), [](auto const& one) { return one.enqueues_only(); });
}

template <class T, class Space>
std::string Bootstrap<T, Space>::double_precision_reason() const {
  return state_->double_precision_reason();
}

template <class T, class Space>
std::vector<std::string> const& Bootstrap<T, Space>::warnings() const {
  return state_->warnings;
}

template <class T, class Space>
HierarchyReport const& Bootstrap<T, Space>::report() {
  auto const& comm = state_->components.front().matrix().halo().distribution().comm();
  if (state_->reported) return state_->report;
  comm::agree_on_errors(
      comm, [&] { core::with_memory_context([] { return "report"; }, [&] { state_->make_report(); }); });
  state_->reported = true;
  return state_->report;
}

template <class T, class Space>
LevelMatrices Bootstrap<T, Space>::fetch_matrices(std::size_t level) const {
  return state_->of_component(level, [](auto const& one, std::size_t l) { return one.fetch_matrices(l); });
}

template <class T, class Space>
LevelAggregates Bootstrap<T, Space>::fetch_aggregates(std::size_t level) const {
  return state_->of_component(level, [](auto const& one, std::size_t l) { return one.fetch_aggregates(l); });
}

}  // namespace Tessera::multigrid
