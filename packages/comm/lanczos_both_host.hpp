#pragma once
/// \file
/// Two runs of Lanczos on the host, for A and for A_F: one pass over the matrix, one exchange and one sum
/// over ranks a step serve both.
#include "comm/lanczos_body.hpp"
#include "comm/lanczos_both.hpp"

namespace Tessera::comm {

/// ApplyOperator of both. Entry: the type that entries are rounded to.
template <class Entry>
struct ApplyBoth {
  sparse::CsrView<double> A;
  Filter filter;
  Span<double const> diagonal, filtered_diagonal;
  Both const* u;
  Both* previous;
  StepScales of_A, of_filtered;

  BothAndBound operator()(Index row) const { return step<true>(row); }

  /// The bound is A_F's, 0 unless it is wanted.
  template <bool with_bound>
  BothAndBound step(Index row) const {
    auto const begin = A.offsets[row], end = A.offsets[row + 1];
    double const* const value = A.value.data();
    Index const* const column = A.column.data();
    Both const* const x = u;
    double const d = filtered_diagonal[row];
    core::prefetch(value + begin + 256);
    core::prefetch(column + begin + 256);
    Both sum;
    double absolute = 0;
    if (filter.lumped[row] == 0) {
      for (Offset k = begin; k < end; ++k) {
        double const a = static_cast<Entry>(value[k]);
        sum += Both{a * x[column[k]].of_A, a * x[column[k]].of_filtered};
        if (with_bound) absolute += std::fabs(a);
      }
    } else {
      unsigned char const* const strong = filter.strong.data();
      for (Offset k = begin; k < end; ++k) {
        Index const c = column[k];
        double const a = static_cast<Entry>(value[k]);
        double const kept = c == row ? 1.0 : static_cast<double>(strong[k]);
        double const filtered = (c == row ? d : a) * kept;
        sum += Both{a * x[c].of_A, filtered * x[c].of_filtered};
        if (with_bound) absolute += std::fabs(filtered);
      }
    }
    Both const before = previous[row], z = x[row];
    Both& w = previous[row];
    auto const of_all = finish_row(of_A, sum.of_A, 0, diagonal[row], z.of_A, before.of_A, w.of_A);
    auto const of_few = finish_row(of_filtered, sum.of_filtered, absolute, d, z.of_filtered,
                                   before.of_filtered, w.of_filtered);
    return {{of_all.dot, of_few.dot}, of_few.bound};
  }
};

template <class Entry>
struct DotsOnly {
  ApplyBoth<Entry> apply;
  Both operator()(Index row) const { return apply.template step<false>(row).both; }
};

/// One of the runs on its way. When it has ended, its numbers go on without being noted.
class RunUnderWay {
 public:
  RunUnderWay(double norm, int steps) : steps_(steps), active_(norm > 0 && steps > 0), scale_(1 / norm) {}
  bool active() const { return active_; }
  StepScales scales() const { return {scale_, beta_ * previous_scale_}; }
  double scale() const { return scale_; }
  void set_bound(double bound) {
    if (active_) run_.bound = bound;
  }
  void note(double alpha, double beta) {
    if (!active_) return;
    beta_ = beta;
    active_ = run_.note(alpha, beta) && beta > 0 && static_cast<int>(run_.alphas.size()) < steps_;
    previous_scale_ = scale_;
    scale_ = 1 / beta;
  }
  LanczosRun run() && { return std::move(run_); }

 private:
  int steps_;
  bool active_;
  double scale_, previous_scale_ = 0, beta_ = 0;
  LanczosRun run_;
};

inline Both sum_of(Communicator const& comm, Both const& mine) {
  std::vector<double> sums{mine.of_A, mine.of_filtered};
  comm.sum(sums);
  return {sums[0], sums[1]};
}

template <class Entry>
TwoRuns run_both_of(Host const& space, DistCsr<double, Host> const& A, Span<double const> diagonal,
                    double known_bound, Span<double const> filtered_diagonal, Filter const& filter,
                    Span<VertexId const> row_ids, int steps, int seed) {
  auto const& comm = A.rows.comm();
  auto const n = static_cast<std::size_t>(A.rows.local_size());
  std::size_t const ghosts = A.halo.ghost_count();
  Array<Both, Host> u(space, n + ghosts), w(space, n + ghosts);

  StartBoth const start{row_ids, diagonal, filtered_diagonal, seed, u.data(), w.data()};
  auto const norms = sum_of(comm, core::reduce(space, n, start, JoinBoth{}, Both{}));
  RunUnderWay of_A(std::sqrt(norms.of_A), steps), of_filtered(std::sqrt(norms.of_filtered), steps);
  for (bool is_first = true; of_A.active() || of_filtered.active(); is_first = false) {
    auto* const numbers = reinterpret_cast<double*>(u.data());
    A.halo.exchange(space, Span<double const>(numbers, 2 * n), Span<double>(numbers + 2 * n, 2 * ghosts), 2);
    ApplyBoth<Entry> const apply{A.local.view(), filter,   diagonal,      filtered_diagonal,
                                 u.data(),       w.data(), of_A.scales(), of_filtered.scales()};
    auto const local =
        is_first ? core::reduce(space, n, apply, JoinBoth{}, BothAndBound{})
                 : BothAndBound{core::reduce(space, n, DotsOnly<Entry>{apply}, JoinBoth{}, Both{}), 0};
    auto const alpha = sum_of(comm, local.both);
    if (is_first) {
      of_A.set_bound(known_bound);
      of_filtered.set_bound(comm.max(local.bound));
    }
    OrthogonaliseBoth const orthogonalise{
        diagonal,
        filtered_diagonal,
        u.data(),
        w.data(),
        {alpha.of_A * of_A.scale(), alpha.of_filtered * of_filtered.scale()}};
    auto const beta = sum_of(comm, core::reduce(space, n, orthogonalise, JoinBoth{}, Both{}));
    of_A.note(alpha.of_A, std::sqrt(beta.of_A));
    of_filtered.note(alpha.of_filtered, std::sqrt(beta.of_filtered));
    std::swap(u, w);
  }
  return {std::move(of_A).run(), std::move(of_filtered).run()};
}

inline TwoRuns run_both(Host const& space, DistCsr<double, Host> const& A, Span<double const> diagonal,
                        double known_bound, Span<double const> filtered_diagonal, Filter const& filter,
                        Span<VertexId const> row_ids, int steps, int seed, Entries const& entries) {
  auto const run = entries.in_float ? run_both_of<float> : run_both_of<double>;
  return run(space, A, diagonal, known_bound, filtered_diagonal, filter, row_ids, steps, seed);
}

}  // namespace Tessera::comm
