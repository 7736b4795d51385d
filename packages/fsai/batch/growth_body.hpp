#pragma once
/// \file
/// Adaptive growth of a pattern: search for the columns outside of it that lower the Kaporin number most, and
/// merge with the old columns.
#include <algorithm>
#include <vector>

#include "core/group.hpp"
#include "core/span.hpp"
#include "fsai/batch/gather_host.hpp"
#include "fsai/pattern.hpp"

namespace Tessera::fsai {

/// Input and output of the search. Row r stores its new columns, at most growth_limit(r), from
/// picked[first[r]] on, in any order. added[r]: number of new columns.
struct GrowthTask {
  LowerRows rows;
  PatternView pattern;
  Span<double const> value, diagonal;
  Span<unsigned char const> active;
  GrowthRule rule;
  Span<Offset const> first;
  Span<Index> picked, added;
  /// Number of columns that row r may gain.
  TESSERA_HD Index growth_limit(Index r) const {
    return active[r] != 0 ? rule.growth_limit(pattern.size(r)) : 0;
  }
  /// Row r can gain only columns below this one.
  TESSERA_HD Index end(Index r) const {
    auto const i = pattern.column[pattern.offsets[r + 1] - 1];
    return i < rows.columns ? i : rows.columns;
  }
};

/// Search of a back end: run(space, task).
template <class Space>
struct GrowthSearch;

namespace detail {

struct Candidate {
  double score;
  Index column;
  bool operator<(Candidate const& other) const {  // better first
    return score > other.score || (score == other.score && column < other.column);
  }
};

/// The rows of one thread. Each column of the gradient gets a place in the table when it first occurs.
template <class Places>
class RowGrowth {
 public:
  explicit RowGrowth(GrowthTask const& task) : task_(task), places_(task.rows.A.columns) {}

  void operator()(Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      candidates_.clear();
      auto const growth_limit = static_cast<std::size_t>(task_.growth_limit(r));
      if (growth_limit > 0) find_candidates(r);
      if (candidates_.size() > growth_limit) {
        std::nth_element(candidates_.begin(), candidates_.begin() + growth_limit, candidates_.end());
        candidates_.resize(growth_limit);
      }
      task_.added[r] = static_cast<Index>(candidates_.size());
      auto* to = task_.picked.data() + task_.first[r];
      for (auto const& candidate : candidates_) *to++ = candidate.column;
    }
  }

 private:
  /// The m columns of the pattern occupy the first m places.
  void find_candidates(Index r) {
    auto const& A = task_.rows.A;
    auto const P = task_.pattern.row(r);
    auto const* const g = task_.value.data() + task_.pattern.offsets[r];
    auto const m = static_cast<Index>(P.size());
    Offset column_bound = m;
    for (auto const p : P) column_bound += A.offsets[p + 1] - A.offsets[p];
    if constexpr (Places::wants_size) places_.start(r, column_bound);
    if (static_cast<std::size_t>(column_bound) > sum_.size()) {
      sum_.resize(2 * column_bound);
      column_.resize(2 * column_bound);
    }
    Index count = 0;
    auto const numbers = places_.numbers();
    for (; count < m; ++count) numbers.place(P[count], count);
    auto const end = task_.end(r);
    for (Index a = 0; a < m; ++a) {
      for (Offset k = A.offsets[P[a]]; k < A.offsets[P[a] + 1]; ++k) {
        auto const c = A.column[k];
        if (c >= end) break;  // columns ascend
        auto const place = numbers.place(c, count);
        if (place == count) {
          column_[count] = c;
          sum_[count++] = 0.0;
        }
        if (place >= m) sum_[place] += A.value[k] * g[a];
      }
    }
    places_.finish(count);
    for (Index s = m; s < count; ++s) {
      double const score = sum_[s] * sum_[s] / task_.diagonal[column_[s]];
      if (score > task_.rule.tolerance) candidates_.push_back({score, column_[s]});
    }
  }

  GrowthTask task_;
  Places places_;
  std::vector<double> sum_;
  std::vector<Index> column_;
  std::vector<Candidate> candidates_;
};

}  // namespace detail

template <>
struct GrowthSearch<Host> {
  static void run(Host const&, GrowthTask const& task) {
    with_places(task.rows.A.columns, [&](auto* places) {
      using Places = std::remove_pointer_t<decltype(places)>;
      sparse::for_row_blocks(task.pattern.rows, [&] { return detail::RowGrowth<Places>(task); });
    });
  }
};

/// added[r]: number of columns that row r may gain.
struct GrowthLimitBody {
  GrowthTask task;
  TESSERA_HD void operator()(Index r) const { task.added[r] = task.growth_limit(r); }
};

struct GrownSizeBody {
  GrowthTask task;
  Span<unsigned char> active;
  Span<Offset> size;
  TESSERA_HD void operator()(Index r) const {
    active[r] = task.added[r] > 0 ? 1 : 0;
    size[r] = task.pattern.size(r) + task.added[r];
  }
};

/// Merges old and picked columns in ascending order: a column's position is the number of smaller columns.
struct MergeRowBody {
  GrowthTask task;
  Span<Offset const> offsets;
  Span<Index> column;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index r) const {
    auto const P = task.pattern.row(r);
    auto const N = task.picked.part(task.first[r], task.added[r]);
    auto const target = column.data() + offsets[r];
    for (std::size_t k = group.lane; k < P.size(); k += Group::size) target[k + smaller(N, P[k])] = P[k];
    for (std::size_t n = group.lane; n < N.size(); n += Group::size)
      target[core::lower_bound(P, N[n]) + smaller(N, N[n])] = N[n];
  }
  TESSERA_HD static std::size_t smaller(Span<Index const> numbers, Index c) {
    Index count = 0;
    for (auto const number : numbers) count += number < c ? 1 : 0;
    return count;
  }
};

template <class Space>
Pattern<Space> grown_pattern(Space const& space, LowerRows const& rows, PatternView pattern,
                             Span<double const> value, Span<unsigned char> active, GrowthRule const& rule) {
  auto const n = static_cast<std::size_t>(pattern.rows);
  Array<double, Space> diagonal(space, rows.A.rows);
  sparse::extract_diagonal(space, rows.A, diagonal.span());
  Array<Index, Space> added(space, n);
  Array<Offset, Space> first(space, n + 1);
  GrowthTask task{rows, pattern, value, diagonal.view(), active, rule, first.view(), {}, added.span()};
  core::for_each(space, n, GrowthLimitBody{task});
  Array<Index, Space> picked(space, core::exclusive_scan(space, added.view(), first.span()));
  task.picked = picked.span();
  GrowthSearch<Space>::run(space, task);
  Pattern<Space> grown{Array<Offset, Space>(space, n + 1), {}};
  auto const size = grown.offsets.span().part(0, n);
  core::for_each(space, n, GrownSizeBody{task, active, size});
  auto const entries = core::exclusive_scan(space, size, grown.offsets.span());
  grown.column = Array<Index, Space>(space, entries);
  core::for_each_group(space, n, entries, MergeRowBody{task, grown.offsets.view(), grown.column.span()});
  return grown;
}

}  // namespace Tessera::fsai

#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/growth_cuda.cuh"
#endif
