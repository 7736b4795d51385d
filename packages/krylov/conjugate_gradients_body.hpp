#pragma once
/// \file
/// The host's half: what it enqueues when, and what it makes of what comes back.
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "krylov/explain.hpp"
#include "krylov/steps.hpp"

namespace Tessera::krylov {

/// A solve under way, as far as the host knows.
template <class Space>
class Solve {
 public:
  Solve(Steps<Space> const& steps, Result& result) : steps_(steps), result_(result) {}

  void run() {
    auto& work = steps_.work;
    if (work.busy) core::synchronize(steps_.space);  // a solve before this one has thrown
    work.busy = true;
    work.mail->count = 0;
    steps_.start();
    ++issued_;
    double true_before = HUGE_VAL;
    while (true) {
      iterate();
      true_ = true_residual();
      bool const claimed = last_.state == code(Stop::converged);
      bool const met = true_ <= last_.target;
      if (last_.state == code(Stop::max_iterations) && met) last_.state = code(Stop::converged);
      if (!claimed || met || !steps_.parameters.verify) break;
      if (result_.replacements == steps_.parameters.max_replacements || !(true_ < 0.81 * true_before)) {
        last_.state = code(Stop::stagnated);
        break;
      }
      true_before = true_;
      resume();
    }
    work.busy = false;
    finish();
  }

 private:
  /// Until the solve has stopped. What was enqueued beyond changes nothing.
  void iterate() {
    while (true) {
      read();
      if (last_.state != running) return;
      if (issued_ - seen_ > allowed()) {
        core::wait_until(steps_.space, &steps_.work.mail->count, seen_ + 1);
      } else {
        enqueue_iteration();
        ++issued_;
      }
    }
  }

  /// The first iteration of a solve that has to record is run as it is: the device works while the host
  /// records, and all kernels have been loaded by then.
  void enqueue_iteration() {
    auto const& s = steps_;
    auto& work = s.work;
    bool const graph = s.parameters.use_graph && core::can_capture(s.space) && s.capturable();
    if (!graph) return s.iteration();
    if (!recorded_) {
      auto const key = s.key();
      recorded_ = !work.graph.empty() && work.key == key && (!s.M.apply || s.M.version != 0);
      if (!recorded_ && issued_ == 1) return s.iteration();
      if (!recorded_) work.graph.capture(s.space, [&] { s.iteration(); });
      work.key = key;
      recorded_ = true;
    }
    work.graph.launch(s.space);
    result_.graph = true;
  }

  /// Takes note of the records that have come.
  void read() {
    auto const& mail = *steps_.work.mail.get();
    for (auto const count = core::observe(&mail.count); seen_ < count; ++seen_) {
      auto const& record = mail.record[seen_ % Mail::size];
      bool const first = seen_ == 0, moved = first || record.iteration > last_.iteration;
      if (moved) {
        before_ = first ? 0 : last_.rr;
        result_.history.push_back(std::sqrt(record.rr) / record.reference);
      }
      last_ = record;
      if (first && last_.state == code(Stop::converged) && last_.rr > last_.target) zero_rhs();
    }
  }

  /// b = 0 was found, so x is, whatever it was.
  void zero_rhs() {
    core::fill(steps_.space, steps_.x, 0.0);
    last_.rr = 0;
  }

  /// How many records may be outstanding when another iteration is enqueued. None, when that iteration may
  /// well be one too many: it would cost more than the wait. What one rank has seen another has not, so
  /// several ranks never run ahead.
  std::int64_t allowed() const {
    if (steps_.comm().size() > 1) return 0;
    if (seen_ == 0) return 1;
    double const factor = before_ > 0 ? std::min(1.0, last_.rr / before_) : 0.01;
    double const guess = last_.rr * std::pow(factor, static_cast<double>(issued_ - seen_));
    return guess <= 4 * last_.target ? 0 : steps_.parameters.check_lag;
  }

  /// (r, r) of r = b - A x, which replaces r. All that was enqueued is done then.
  double true_residual() {
    steps_.verify();
    ++issued_;
    auto const& mail = *steps_.work.mail.get();
    core::wait_until(steps_.space, &mail.count, issued_);
    seen_ = issued_;
    return mail.record[(issued_ - 1) % Mail::size].rr;
  }

  void resume() {
    ++result_.replacements;
    steps_.resume(true_);
    last_.rr = true_;
    bool const more = last_.iteration < steps_.parameters.max_iterations;
    last_.state = more ? running : code(Stop::max_iterations);
    before_ = 0;
  }

  void finish() {
    result_.stop = static_cast<Stop>(last_.state);
    result_.converged = result_.stop == Stop::converged;
    result_.iterations = last_.iteration;
    result_.reference = last_.reference;
    result_.recursive_residual = std::sqrt(last_.rr) / last_.reference;
    result_.relative_residual = std::sqrt(true_) / last_.reference;
    if (!result_.converged) result_.reason = explain(result_, last_.failed, steps_.parameters);
  }

  Steps<Space> steps_;
  Result& result_;
  std::int64_t issued_ = 0, seen_ = 0;  ///< records
  Record last_{0, 1, 0, 0, 0, running};
  double before_ = 0;  ///< (r, r) one iteration before last_
  double true_ = 0;
  bool recorded_ = false;
};

template <class Space>
Result solve(Space const& space, comm::DistMatrix<double, Space> const& A, Preconditioner const& M,
             Span<double const> b, Span<double> x, Parameters const& parameters,
             Workspace<Space>& workspace) {
  auto const rows = static_cast<std::size_t>(A.halo().distribution().local_size());
  comm::together(A.halo().distribution().comm(), [&] {
    TESSERA_VALIDATE(b.size() == rows && x.size() == rows, "the right-hand side has ", b.size(),
                     " and the solution ", x.size(), " entries on this rank, but the matrix has ", rows,
                     " rows there; distribute them as the matrix' rows");
    check(parameters);
  });
  Steps<Space> const steps{space, A, M, b, x, parameters, workspace.state()};
  bool const needs_z = steps.needs_z();
  auto const& comm = A.halo().distribution().comm();
  comm::together(comm, [&] { workspace.state().reserve(space, comm, rows, needs_z); });
  Result result;
  Solve<Space>(steps, result).run();
  return result;
}

}  // namespace Tessera::krylov
