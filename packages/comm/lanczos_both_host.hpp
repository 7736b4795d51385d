#pragma once
/// \file
/// Two runs of Lanczos on the host, for A and for A_F: one pass over the matrix, one exchange and one sum
/// over ranks a step serve both.
#include <cstring>

#include "comm/lanczos_both.hpp"
#include "comm/lanczos_host.hpp"
#include "core/reduce_into.hpp"
#include "core/reduce_into_host.hpp"

namespace Tessera::comm {

/// What A and A_F have in a column.
struct TwoEntries {
  Index column;
  float of_A, of_filtered;
};

/// The rows of both, rounded to float, side by side in groups: entry j of lane l of group g is at offsets[g]
/// + j * lanes + l, zeros in column 0 behind a row's last.
struct PairedRows {
  static constexpr Index lanes = 8;
  Array<Offset, Host> offsets;  ///< groups + 1
  Array<TwoEntries, Host> entries;
  double bound = 0;  ///< max_i sum_j |a_ij| / d_i of A_F
};

struct GroupEntries {
  sparse::CsrView<double> A;
  Offset* count;
  void operator()(Index g) const {
    auto const begin = g * PairedRows::lanes, end = std::min(A.rows, begin + PairedRows::lanes);
    Offset width = 0;
    for (auto i = begin; i < end; ++i) width = std::max(width, A.offsets[i + 1] - A.offsets[i]);
    count[g] = width * PairedRows::lanes;
  }
};

/// Fills a group; gives its bound.
struct PairGroup {
  sparse::CsrView<double> A;
  Filter filter;
  Span<double const> diagonal;  ///< of A_F
  Offset const* offsets;
  TwoEntries* entries;

  double operator()(Index g) const {
    constexpr auto lanes = PairedRows::lanes;
    double bound = 0;
    for (Index l = 0; l < lanes; ++l) {
      auto const i = g * lanes + l;
      auto const* const end = entries + offsets[g + 1];
      auto* to = entries + offsets[g] + l;
      if (i < A.rows) {
        double const d = diagonal[i], absolute = row(i, static_cast<float>(d), to);
        if (d != 0) bound = std::max(bound, absolute / d);
        to += (A.offsets[i + 1] - A.offsets[i]) * lanes;
      }
      for (; to < end; to += lanes) *to = {0, 0, 0};
    }
    return bound;
  }

 private:
  /// The sum of absolute values. Without branches, since nobody foresees what is strong.
  double row(Index i, float d, TwoEntries* __restrict to) const {
    auto const begin = A.offsets[i];
    auto const count = A.offsets[i + 1] - begin;
    Index const* const column = A.column.data() + begin;
    double const* const value = A.value.data() + begin;
    unsigned char const* const strong = filter.strong.data() + begin;
    unsigned const lumped = filter.lumped[i] != 0 ? 1 : 0;
    double absolute = 0;
    for (Offset k = 0; k < count; ++k, to += PairedRows::lanes) {
      unsigned const on_diagonal = column[k] == i ? 1 : 0;
      auto const kept = static_cast<float>(static_cast<int>((1 - lumped) | on_diagonal | strong[k]));
      auto const a = static_cast<float>(value[k]);
      *to = {column[k], a, ((lumped & on_diagonal) != 0 ? d : a) * kept};
      absolute += std::fabs(to->of_filtered);
    }
    return absolute;
  }
};

inline PairedRows paired_rows(Host const& space, sparse::CsrView<double> A, Filter const& filter,
                              Span<double const> filtered_diagonal) {
  auto const groups = static_cast<std::size_t>((A.rows + PairedRows::lanes - 1) / PairedRows::lanes);
  PairedRows result{Array<Offset, Host>(space, groups + 1), {}};
  core::for_each(space, groups, GroupEntries{A, result.offsets.data()});
  auto const entries =
      core::exclusive_scan(space, result.offsets.span().part(0, groups), result.offsets.span());
  result.entries = Array<TwoEntries, Host>(space, static_cast<std::size_t>(entries));
  PairGroup const pair{A, filter, filtered_diagonal, result.offsets.data(), result.entries.data()};
  result.bound = core::reduce(space, groups, pair, core::Max{}, 0.0);
  return result;
}

/// ApplyOperator of both: writes w of whole groups, before sums over them.
struct ApplyBoth {
  Offset const* offsets;
  TwoEntries const* entries;
  Span<double const> diagonal, filtered_diagonal;
  Both const* u;
  Both* previous;
  StepScales of_A, of_filtered;

  void range(Index begin, Index end) const {
    for (auto i = begin; i < end; i += PairedRows::lanes) group(i, std::min(end, i + PairedRows::lanes));
  }

 private:
  using Two __attribute__((vector_size(16))) = double;

  /// Both products of a place in one register.
  static Two product(TwoEntries const& entry, Both const* u) {
    Two z;
    std::memcpy(&z, u + entry.column, sizeof z);
    return Two{entry.of_A, entry.of_filtered} * z;
  }
  /// Sums in registers, not in an array: 1.7 ms became 2.5 for 1.65 M entries of a level.
  void group(Index begin, Index end) const {
    constexpr auto lanes = PairedRows::lanes;
    static_assert(lanes == 8 && core::fixed_tree::block % lanes == 0);
    auto const* entry = entries + offsets[begin / lanes];
    auto const* const last = entries + offsets[begin / lanes + 1];
    Two s0{}, s1{}, s2{}, s3{}, s4{}, s5{}, s6{}, s7{};
    for (; entry != last; entry += lanes) {
      core::prefetch(entry + 8 * lanes);
      core::prefetch(entry + 8 * lanes + lanes / 2);
      s0 += product(entry[0], u), s1 += product(entry[1], u);
      s2 += product(entry[2], u), s3 += product(entry[3], u);
      s4 += product(entry[4], u), s5 += product(entry[5], u);
      s6 += product(entry[6], u), s7 += product(entry[7], u);
    }
    Two const sum[lanes] = {s0, s1, s2, s3, s4, s5, s6, s7};
    for (auto i = begin; i < end; ++i) finish(i, {sum[i - begin][0], sum[i - begin][1]});
  }
  void finish(Index i, Both const& sum) const {
    Both const before = previous[i], z = u[i];
    Both& w = previous[i];
    finish_row(of_A, sum.of_A, 0, diagonal[i], z.of_A, before.of_A, w.of_A);
    finish_row(of_filtered, sum.of_filtered, 0, filtered_diagonal[i], z.of_filtered, before.of_filtered,
               w.of_filtered);
  }
};

/// DotOfRow of both.
struct DotsOfRow {
  Span<double const> diagonal, filtered_diagonal;
  Both const *w, *u;
  double scale, filtered_scale;
  Both operator()(Index i) const {
    return {diagonal[i] * w[i].of_A * (scale * u[i].of_A),
            filtered_diagonal[i] * w[i].of_filtered * (filtered_scale * u[i].of_filtered)};
  }
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

inline TwoRuns run_both(Host const& space, DistCsr<double, Host> const& A, Span<double const> diagonal,
                        double known_bound, Span<double const> filtered_diagonal, Filter const& filter,
                        Span<VertexId const> row_ids, int steps, int seed, Entries const& entries) {
  if (!entries.in_float)
    return run_both<Host>(space, A, diagonal, known_bound, filtered_diagonal, filter, row_ids, steps, seed,
                          entries);
  auto const& comm = A.rows.comm();
  auto const n = static_cast<std::size_t>(A.rows.local_size());
  std::size_t const ghosts = A.halo.ghost_count();
  auto const rows = paired_rows(space, A.local.view(), filter, filtered_diagonal);
  Array<Both, Host> u(space, n + ghosts), w(space, n + ghosts);
  core::ReduceScratch<Host> scratch(space, n, sizeof(Both));

  StartBoth const start{row_ids, diagonal, filtered_diagonal, seed, u.data(), w.data()};
  auto const norms = sum_of(comm, core::reduce(space, n, start, JoinBoth{}, Both{}));
  RunUnderWay of_A(std::sqrt(norms.of_A), steps), of_filtered(std::sqrt(norms.of_filtered), steps);
  of_A.set_bound(known_bound);
  of_filtered.set_bound(comm.max(rows.bound));
  while (of_A.active() || of_filtered.active()) {
    auto* const numbers = reinterpret_cast<double*>(u.data());
    A.halo.exchange(space, Span<double const>(numbers, 2 * n), Span<double>(numbers + 2 * n, 2 * ghosts), 2);
    ApplyBoth const apply{
        rows.offsets.data(), rows.entries.data(), diagonal, filtered_diagonal, u.data(), w.data(),
        of_A.scales(),       of_filtered.scales()};
    DotsOfRow const dots{diagonal, filtered_diagonal, w.data(), u.data(), of_A.scale(), of_filtered.scale()};
    Both alpha;
    core::reduce_into(
        space, n, apply, dots, JoinBoth{}, Both{}, [&](Both const& sum) { alpha = sum; }, scratch);
    alpha = sum_of(comm, alpha);
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

}  // namespace Tessera::comm
