#pragma once
/// \file
/// The host's half of conjugate gradients: it enqueues iterations and decides by their records.
#include <algorithm>
#include <cmath>
#include <limits>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/timer.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "krylov/refinement.hpp"

namespace Tessera::krylov {

/// A running solve, as the host knows it.
template <class Space>
class Solve {
 public:
  /// recording: the least of all ranks' Steps::recording().
  Solve(Steps<Space> const& steps, Result& result, Recording recording)
      : steps_(steps),
        result_(result),
        probe_(steps, enqueued_),
        judge_(steps.parameters.max_replacements),
        recording_(recording) {}

  void run() {
    begin();
    do iterate();
    while (!is_over());
    steps_.work.busy = false;
    finish();
  }

  // Parts of run(), for a solve of several columns (block_solve_body.hpp).

  void begin() {
    auto& work = steps_.work;
    if (work.busy) core::synchronize(steps_.space);  // an earlier solve has thrown
    work.busy = true;
    work.records->count = 0;
    plan();
    steps_.start(pause_);
    ++enqueued_;
  }
  bool is_running() const { return last_.state == State::running; }
  /// Whether an iteration has made p and s.
  bool has_direction() const { return last_.iteration > 0; }
  /// Whether another iteration may be enqueued. If not, there are records to read.
  bool wants_iteration() const { return enqueued_ - read_ <= allowed_lag(); }
  void iteration_enqueued() { ++enqueued_; }
  /// Waits for the next record, if one is outstanding.
  void read(HostRecords const& records) {
    if (read_ < enqueued_) read_next(records);
  }
  /// For a solve that has stopped or paused. Returns true if the solve is over; if not, it runs again.
  bool settle() {
    while (!is_running()) {
      if (!is_over()) continue;
      finish();
      return true;
    }
    return false;
  }

 private:
  /// Iterates until the solve has stopped or paused. Iterations enqueued after that change nothing.
  void iterate() {
    while (is_running()) {
      if (!wants_iteration()) {
        read_next(*steps_.work.records.get());
      } else {
        enqueue_iteration();
        ++enqueued_;
      }
    }
  }

  /// The first iteration is not recorded: the device works while the host records the second one, and all
  /// kernels are loaded by then.
  void enqueue_iteration() {
    auto const& s = steps_;
    auto& work = s.work;
    if (recording_ == Recording::none) return s.iteration();
    if (recording_ == Recording::wanted) {
      if (enqueued_ == 1) return s.iteration();
      comm::capture(work.graph, s.space, s.comm(), [&] { s.iteration(); });
      work.key = s.key();
      recording_ = Recording::kept;
    }
    work.graph.launch(s.space);
    result_.graph = true;
  }

  /// Waits for the next record and reads that one only, even if more have arrived. So all ranks, whose
  /// records are equal, enqueue the same work.
  void read_next(HostRecords const& records) {
    core::wait_until(steps_.space, &records.count, read_ + 1);
    auto const& record = records.record[read_ % HostRecords::size];
    bool const first = read_ == 0, moved = first || record.iteration > last_.iteration;
    if (moved) {
      previous_rr_ = first ? 0 : last_.rr;
      result_.history.push_back(std::sqrt(record.rr) / record.reference);
    }
    last_ = record;
    ++read_;
    if (first && has_stopped(Stop::converged) && last_.rr > last_.target) set_zero_solution();
  }

  /// x = 0, because b = 0.
  void set_zero_solution() {
    core::fill(steps_.space, steps_.x, 0.0);
    last_.rr = 0;
  }

  /// The number of records that may be outstanding when another iteration is enqueued. 0 if that iteration
  /// may be one too many: it would cost more than the wait.
  std::int64_t allowed_lag() const {
    if (!core::SpaceTraits<Space>::asynchronous) return 0;
    if (read_ == 0) return 1;
    if (last_.iteration + enqueued_ - read_ >= pause_.iteration) return 0;
    double const factor = previous_rr_ > 0 ? std::min(1.0, last_.rr / previous_rr_) : 0.01;
    double const guess = last_.rr * std::pow(factor, static_cast<double>(enqueued_ - read_));
    return guess <= 4 * std::max(last_.target, pause_.residual) ? 0 : steps_.parameters.check_lag;
  }

  bool has_stopped(Stop reason) const { return last_.state == State::stopped && last_.reason == reason; }

  /// Compares the recurrence with b - A x. If the recurrence has stopped, b - A x overwrites r. Returns false
  /// if the solve continues.
  bool is_over() {
    auto& work = steps_.work;
    bool const pausing = last_.state == State::paused, at_end = has_stopped(Stop::max_iterations);
    bool const indefinite =
        has_stopped(Stop::indefinite_matrix) || has_stopped(Stop::indefinite_preconditioner);
    true_rr_ = probe_.residual(pausing ? work.w.data() : work.r.data());
    if (true_rr_ <= last_.target) {
      if (pausing || at_end) stop(Stop::converged);
      return true;
    }
    if (has_stopped(Stop::not_finite) || !steps_.parameters.verify) return true;
    auto const found = compare();
    bool const at_level = is_near_rounding_level(found.residual, found.level);
    if (finds_nullspace(found.target, indefinite || (found.stalled && !at_level)))
      return stop(Stop::singular);
    if (indefinite) return at_level ? stop(Stop::rounding_level) : true;
    if (at_end) {
      bool const low = is_rounding_level(found.residual, found.level);
      return low && found.residual > 2 * found.recursive ? stop(Stop::rounding_level) : true;
    }
    switch (judge_(found)) {
      case Verdict::rounding_level:
        return stop(Stop::rounding_level);
      case Verdict::stagnated:
        return stop(Stop::stagnated);
      case Verdict::replace:
        replace(pausing);
        break;
      case Verdict::continue_unchanged:
        plan();
        steps_.continue_unchanged(pause_, found.stalled);
        last_.state = State::running;
    }
    read_ = enqueued_;
    return false;
  }

  bool stop(Stop reason) {
    last_.state = State::stopped;
    last_.reason = reason;
    return true;
  }

  Comparison compare() {
    scale_ = probe_.scale(steps_.x.data());
    Comparison found;
    found.iteration = last_.iteration;
    found.recursive = std::sqrt(last_.rr);
    found.residual = std::sqrt(true_rr_);
    found.level = scale_.level();
    found.target = std::sqrt(last_.target);
    found.claimed = has_stopped(Stop::converged);
    found.stalled = last_.state == State::paused && last_.iteration < pause_.iteration &&
                    last_.rr > pause_.residual && !is_flat() && !is_unseen();
    return found;
  }

  /// Whether b has a share in A's nullspace that prevents the target. Candidates are a direction p in the
  /// nullspace, as occurs when x begins to grow along the nullspace, and an r that no direction lowers. M may
  /// be singular, too, with r in its nullspace; then r need not be in A's nullspace.
  bool finds_nullspace(double target, bool suspicious) {
    bool const flat = is_flat(), unseen = is_unseen();
    if (flat) quotient_ = last_.quotient / 10;
    if (unseen) inverse_quotient_ = last_.inverse_quotient / 10;
    auto const& work = steps_.work;
    if ((flat || suspicious) && last_.iteration > 0 &&
        is_prevented_by(probe_.direction(work.p.data()), target))
      return true;
    if (!unseen && !suspicious) return false;
    if (is_prevented_by(probe_.direction(work.r.data()), target)) return true;
    if (!steps_.M.apply) return false;
    bool const prevented = is_prevented_by(probe_.remainder(), target);
    if (last_.iteration > 0) probe_.restore_s();
    return prevented;
  }
  /// Whether (p, A p) is nearly 0 relative to (p, M p).
  bool is_flat() const { return last_.state == State::paused && last_.quotient <= pause_.quotient; }
  /// Whether (r, M^-1 r) is nearly 0 relative to (r, r).
  bool is_unseen() const {
    return last_.state == State::paused && last_.inverse_quotient <= pause_.inverse_quotient;
  }
  bool is_prevented_by(Direction const& direction, double target) {
    if (!direction.prevents(target)) return false;
    result_.nullspace_share = direction.share(std::sqrt(probe_.dot(steps_.b.data(), steps_.b.data())));
    return true;
  }

  void replace(bool pausing) {
    ++result_.replacements;
    auto& work = steps_.work;
    if (pausing) probe_.residual(work.r.data());
    plan();
    steps_.resume(true_rr_, last_.iteration > 0 ? probe_.dot(work.r.data(), work.p.data()) : 0, pause_);
    last_.rr = true_rr_;
    bool const more = last_.iteration < steps_.parameters.max_iterations;
    last_.state = State::running;
    if (!more) stop(Stop::max_iterations);
    previous_rr_ = 0;
  }

  /// Plans the next pause.
  void plan() {
    constexpr int never = std::numeric_limits<int>::max();
    pause_ = {0, 0, 0, never, never};
    if (!steps_.parameters.verify) return;
    pause_ = {judge_.watched_residual() * judge_.watched_residual(), quotient_, inverse_quotient_,
              judge_.next(), RoundingJudge::patience};
  }

  void finish() {
    result_.stop = last_.reason;
    result_.converged = result_.stop == Stop::converged;
    result_.iterations = last_.iteration;
    result_.reference = last_.reference;
    result_.recursive_residual = std::sqrt(last_.rr) / last_.reference;
    result_.relative_residual = std::sqrt(true_rr_) / last_.reference;
    result_.rounding_level = scale_.level() / last_.reference;
    if (scale_.norm > 0) result_.backward_error = std::sqrt(true_rr_) / scale_.norm;
    if (result_.converged) return;
    comm::agree_on_errors(steps_.comm(), "solve",
                          [&] { result_.reason = explain(result_, last_.failed, steps_.parameters); });
  }

  Steps<Space> steps_;
  Result& result_;
  std::int64_t enqueued_ = 0, read_ = 0;  ///< records
  ResidualProbe<Space> probe_;
  RoundingJudge judge_;
  Record last_{0, 1, 0, 0, 0, 0, 0, State::running, Stop::converged};
  Pause pause_{};
  double quotient_ = 1e-8, inverse_quotient_ = 1e-9;  ///< Pause's
  double previous_rr_ = 0;                            ///< (r, r) one iteration before last_
  double true_rr_ = 0;
  RoundingScale scale_;  ///< of x, at the last comparison
  Recording recording_;
};

/// Checks arguments and allocates the workspace.
template <class Space>
void prepare(Steps<Space> const& steps, Result& result) {
  auto const rows = static_cast<std::size_t>(steps.A.halo().distribution().local_size());
  TESSERA_VALIDATE(steps.b.size() == rows && steps.x.size() == rows, "the right-hand side has ",
                   steps.b.size(), " and the solution ", steps.x.size(),
                   " entries on this rank, but the matrix has ", rows,
                   " rows there; distribute them as the matrix' rows");
  check(steps.parameters);
  auto const history = static_cast<std::size_t>(std::min(steps.parameters.max_iterations, 1 << 20));
  core::with_memory_context("solve", [&] {
    steps.work.reserve(steps.space, steps.comm(), rows, steps.needs_z());
    result.history.reserve(1 + history);
  });
}

template <class Space>
void solve_once(Steps<Space> const& steps, Result& result) {
  auto recording = Recording::none;
  if (steps.parameters.use_graph && core::can_capture(steps.space))
    recording = static_cast<Recording>(steps.comm().min(static_cast<GlobalIndex>(steps.recording())));
  Solve<Space>(steps, result, recording).run();
}

/// Completes a solve: refines the result, and counts applications of M. Collective.
template <class Space>
void refine_and_count(Steps<Space> const& steps, Result& result) {
  auto const once = [](Steps<Space> const& run, Result& found) { solve_once(run, found); };
  Refinement<Space, decltype(once)>(steps, result, once).run();
  if (steps.M.count_applications) steps.M.count_applications(result.iterations);
}

template <class Space>
Result solve(Space const& space, comm::DistMatrix<double, Space> const& A, Preconditioner const& M,
             Span<double const> b, Span<double> x, Parameters const& parameters,
             Workspace<Space>& workspace) {
  core::Region const region("solve");
  Result result;
  Steps<Space> const steps{space, A, M, b, x, parameters, workspace.state()};
  comm::agree_on_errors(steps.comm(), [&] { prepare(steps, result); });
  solve_once(steps, result);
  refine_and_count(steps, result);
  return result;
}

template <class Space>
RoundingScale rounding_scale(Space const& space, comm::DistMatrix<double, Space> const& A,
                             Span<double const> b, Span<double const> v, Workspace<Space>& workspace,
                             Span<double const> const* r) {
  auto const& comm = A.halo().distribution().comm();
  auto& work = workspace.state();
  comm::agree_on_errors(comm, [&] { work.reserve(space, comm, b.size(), false); });
  core::synchronize(space);
  work.records->count = 0;
  core::for_each(space, 1, ResetScalars{work.scalars.data()});
  Preconditioner const none;
  Parameters const any;
  std::int64_t issued = 0;
  ResidualProbe<Space> probe({space, A, none, b, {}, any, work}, issued);
  auto scale = probe.scale(v.data());
  if (r != nullptr) scale.row_error = probe.row_error(r->data());
  return scale;
}

}  // namespace Tessera::krylov
