#pragma once
/// \file
/// Search for the columns outside of a pattern that lower the Kaporin number most.
#include <algorithm>
#include <vector>

#include "fsai/batch/gather_host.hpp"
#include "fsai/growth.hpp"

namespace Tessera::fsai {

/// Input and output of the search. Row r stores its new columns from picked[first[r]] on, in any order, where
/// the rule's number of entries has room. added[r]: number of new columns.
struct GrowthTask {
  LowerRows rows;
  PatternView pattern;
  Span<double const> value, diagonal;
  Span<unsigned char const> active;
  GrowthRule rule;
  Span<Offset const> first;
  Span<Index> picked, added;
  /// Number of columns that row r may gain.
  TESSERA_HD Index room(Index r) const { return active[r] != 0 ? rule.room(pattern.size(r)) : 0; }
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
      auto const room = static_cast<std::size_t>(task_.room(r));
      if (room > 0) find_candidates(r);
      if (candidates_.size() > room) {
        std::nth_element(candidates_.begin(), candidates_.begin() + room, candidates_.end());
        candidates_.resize(room);
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

}  // namespace Tessera::fsai

#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/growth_search_cuda.cuh"
#endif
