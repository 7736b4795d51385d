#include "fsai/growth.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "fsai/growing_rows_host.hpp"
#include "fsai/positions_host.hpp"
#include "sparse/engine/row_blocks_host.hpp"

namespace Tessera::fsai {
namespace {

struct Input {
  LowerRows rows;
  PatternView pattern;
  Span<double const> value, diagonal;
  Span<unsigned char const> active;
  GrowthRule rule;
};

struct Candidate {
  double score;
  Index column;
  bool operator<(Candidate const& other) const {  // better first
    return score > other.score || (score == other.score && column < other.column);
  }
};

/// One thread's rows. The gradient's columns get a place when they are first met.
template <class Places>
class Growth {
 public:
  Growth(Input const& input, GrowingRows& rows) : in_(input), places_(input.rows.A.columns), writer_(rows) {}

  void operator()(Index begin, Index end) {
    for (Index r = begin; r < end; ++r) grow(r);
  }

 private:
  void grow(Index r) {
    auto const from = in_.pattern.offsets[r];
    auto const* const P = in_.pattern.column.data() + from;
    auto const m = static_cast<Index>(in_.pattern.offsets[r + 1] - from);
    candidates_.clear();
    auto const room = in_.rule.room(m);
    if (in_.active[r] != 0 && room > 0) {
      find_candidates(r, P, in_.value.data() + from, m);
      auto const most = std::min<std::size_t>(room, candidates_.size());
      std::partial_sort(candidates_.begin(), candidates_.begin() + most, candidates_.end());
      candidates_.resize(most);
    }
    auto const added = static_cast<Index>(candidates_.size());
    auto* const row = writer_.add(r, m + added);
    std::sort(candidates_.begin(), candidates_.end(),
              [](Candidate const& a, Candidate const& b) { return a.column < b.column; });
    Index to = 0, next = 0;
    for (Index a = 0; a < m; ++a) {
      while (next < added && candidates_[next].column < P[a]) row[to++] = candidates_[next++].column;
      row[to++] = P[a];
    }
  }

  /// Columns of the pattern are met first, so that they have the first m places.
  void find_candidates([[maybe_unused]] Index r, Index const* P, double const* g, Index m) {
    auto const& A = in_.rows.A;
    Offset most = m;
    for (Index a = 0; a < m; ++a) most += A.offsets[P[a] + 1] - A.offsets[P[a]];
    if constexpr (Places::wants_size) places_.start(r, most);
    if (static_cast<std::size_t>(most) > sum_.size()) {
      sum_.resize(2 * most);
      column_.resize(2 * most);
    }
    Index count = 0;
    auto const numbers = places_.numbers();
    for (; count < m; ++count) numbers.place(P[count], count);
    auto const end = std::min(P[m - 1], in_.rows.columns);
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
      double const score = sum_[s] * sum_[s] / in_.diagonal[column_[s]];
      if (score > in_.rule.tolerance) candidates_.push_back({score, column_[s]});
    }
  }

  Input in_;
  Places places_;
  GrowingRows::Writer writer_;
  std::vector<double> sum_;
  std::vector<Index> column_;
  std::vector<Candidate> candidates_;
};

template <class Places>
void grow_all(Input const& input, GrowingRows& rows) {
  sparse::for_row_blocks(input.pattern.rows, [&] { return Growth<Places>(input, rows); });
}

}  // namespace

template <>
Pattern<Host> grown_pattern(Host const& space, LowerRows const& rows, PatternView pattern,
                            Span<double const> value, Span<unsigned char const> active,
                            GrowthRule const& rule) {
  Array<double, Host> diagonal(space, rows.A.rows);
  sparse::extract_diagonal(space, rows.A, diagonal.span());
  Input const input{rows, pattern, value, diagonal.view(), active, rule};
  GrowingRows grown(pattern.rows);
  if (sparse::hash::dense_tables(rows.A.columns)) {
    grow_all<sparse::hash::DensePlaces>(input, grown);
  } else {
    grow_all<sparse::hash::HashedPlaces>(input, grown);
  }
  return grown.pattern(space);
}

}  // namespace Tessera::fsai
