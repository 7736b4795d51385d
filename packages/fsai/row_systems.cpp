#include "fsai/row_systems.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "fsai/cholesky_host.hpp"
#include "fsai/positions_host.hpp"
#include "sparse/engine/row_blocks_host.hpp"

namespace Tessera::fsai {
namespace {

/// The first failure of all threads.
class Failures {
 public:
  void add(Index row, double pivot) {
    std::lock_guard lock(mutex_);
    if (first_.row >= 0 && first_.row < row) return;
    first_.row = row;
    first_.pivot = pivot;
  }
  void add_workspace(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    first_.workspace += bytes;
  }
  RowFailure const& first() const { return first_; }

 private:
  std::mutex mutex_;
  RowFailure first_;
};

/// One thread's systems.
template <class Positions>
class Systems {
 public:
  Systems(LowerRows const& rows, PatternView pattern, Span<double> value, Positions positions,
          Failures& failures)
      : A_(rows.A), pattern_(pattern), value_(value), positions_(std::move(positions)), failures_(failures) {}
  Systems(Systems&&) noexcept = default;
  ~Systems() {
    if (matrix_.size() > 0) failures_.add_workspace(matrix_.bytes() + solution_.bytes());
  }

  /// Rows of about one size come together: the block's, by size.
  void operator()(Index begin, Index end) {
    order_.resize(end - begin);
    for (Index r = begin; r < end; ++r) order_[r - begin] = r;
    std::stable_sort(order_.begin(), order_.end(), [this](Index a, Index b) { return size(a) < size(b); });
    std::size_t at = 0;
    for (; at < order_.size() && size(order_[at]) <= largest_together;) {
      auto const few = std::min<std::size_t>(lanes, order_.size() - at);
      int count = 1;
      while (count < static_cast<int>(few) && size(order_[at + count]) <= largest_together) ++count;
      solve_together(order_.data() + at, count);
      at += count;
    }
    for (; at < order_.size(); ++at) solve_alone(order_[at]);
  }

 private:
  Index size(Index r) const { return static_cast<Index>(pattern_.offsets[r + 1] - pattern_.offsets[r]); }
  Index const* columns(Index r) const { return pattern_.column.data() + pattern_.offsets[r]; }

  /// visit(a, b, a_ab) for the stored entries of A[P, P] on and below the diagonal.
  template <class Visit>
  void gather(Index r, Visit const& visit) {
    auto const* const P = columns(r);
    auto const m = size(r);
    positions_.set(P, m);
    for (Index a = 0; a < m; ++a) {
      auto const p = P[a];
      for (Offset k = A_.offsets[p]; k < A_.offsets[p + 1]; ++k) {
        auto const c = A_.column[k];
        if (c > p) break;  // columns ascend
        auto const b = positions_.find(c);
        if (b >= 0) visit(a, b, A_.value[k]);
      }
    }
    positions_.clear(P, m);
  }

  void reserve(std::size_t matrix, std::size_t solution) {
    if (matrix > matrix_.size()) matrix_ = Array<double, Host>(Host{}, matrix);
    if (solution > solution_.size()) solution_ = Array<double, Host>(Host{}, solution);
  }

  /// Smaller systems are padded by an identity behind them, which changes no number of theirs.
  void solve_together(Index const* row, int count) {
    auto const m = size(row[count - 1]);
    auto const vector = static_cast<std::size_t>(m) * lanes;
    reserve(triangle(m) * lanes, 2 * vector);
    auto* const matrix = matrix_.data();
    auto* const solution = solution_.data();
    std::fill_n(matrix, triangle(m) * lanes, 0.0);
    std::fill_n(solution, vector, 0.0);
    for (int w = 0; w < lanes; ++w) {
      auto const mine = w < count ? size(row[w]) : 0;
      if (w < count) {
        gather(row[w], [=](Index a, Index b, double v) { matrix[(triangle(a) + b) * lanes + w] = v; });
        solution[static_cast<std::size_t>(mine - 1) * lanes + w] = 1.0;
      }
      for (Index a = mine; a < m; ++a) matrix[(triangle(a) + a) * lanes + w] = 1.0;
    }
    BadPivots pivots;
    factorise_together(m, reinterpret_cast<Lanes*>(matrix), reinterpret_cast<Lanes*>(solution + vector),
                       pivots);
    substitute_together(m, reinterpret_cast<Lanes const*>(matrix), reinterpret_cast<Lanes*>(solution));
    for (int w = 0; w < count; ++w) {
      if (pivots.any && pivots.bad[w]) failures_.add(row[w], pivots.pivot[w]);
      auto* const g = value_.data() + pattern_.offsets[row[w]];
      auto const last = size(row[w]) - 1;
      double const scale = 1.0 / std::sqrt(matrix[(triangle(last) + last) * lanes + w]);
      for (Index a = 0; a <= last; ++a) g[a] = solution[static_cast<std::size_t>(a) * lanes + w] * scale;
    }
  }

  void solve_alone(Index r) {
    auto const m = size(r), panels = (m + lanes - 1) / lanes, rows = panels * lanes;
    auto const numbers = PanelTriangle::count(panels) * lanes, padded = static_cast<std::size_t>(rows);
    reserve(numbers, (lanes + 3) * padded);
    PanelTriangle const matrix{reinterpret_cast<Lanes*>(matrix_.data())};
    auto *const D = solution_.data() + lanes * padded, *const reciprocal = D + padded,
                *const x = reciprocal + padded;
    std::fill_n(matrix_.data(), numbers, 0.0);
    gather(r, [=](Index a, Index b, double v) { matrix.at(a, b) = v; });
    for (Index a = m; a < rows; ++a) matrix.at(a, a) = 1.0;
    double const pivot =
        factorise_alone(panels, matrix, D, reciprocal, reinterpret_cast<Lanes*>(solution_.data()));
    if (!is_pivot(pivot)) return failures_.add(r, pivot);
    std::fill_n(x, rows, 0.0);
    x[m - 1] = 1.0;
    substitute_alone(panels, matrix, x);
    auto* const g = value_.data() + pattern_.offsets[r];
    double const scale = 1.0 / std::sqrt(D[m - 1]);
    for (Index a = 0; a < m; ++a) g[a] = x[a] * scale;
  }

  sparse::CsrView<double> A_;
  PatternView pattern_;
  Span<double> value_;
  Positions positions_;
  Failures& failures_;
  std::vector<Index> order_;
  Array<double, Host> matrix_, solution_;  ///< solution_: also the reciprocals of D
};

}  // namespace

/// Each thread has one group of systems at a time; `workspace`, which is more, bounds nothing here.
template <>
RowFailure solve_rows(Host const&, LowerRows const& rows, PatternView pattern, Span<double> value,
                      std::size_t /*workspace*/) {
  Failures failures;
  with_positions(rows.A.rows, [&](auto const& make_positions) {
    using Positions = decltype(make_positions());
    sparse::for_row_blocks(
        pattern.rows, [&] { return Systems<Positions>(rows, pattern, value, make_positions(), failures); });
  });
  return failures.first();
}

}  // namespace Tessera::fsai
