#pragma once
/// \file
/// Dense systems of mixed sizes: A[P_r, P_r] is gathered and factorised, and row r of G is stored.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "fsai/batch/cholesky_host.hpp"
#include "fsai/batch/gather_host.hpp"
#include "fsai/row_systems.hpp"

namespace Tessera::fsai {

/// Batched solver of a back end: run(space, rows, pattern, active, value, workspace, failed). This is
/// solve_rows without the treatment of pivots that are zero to rounding. failed: zeros on entry; rows with a
/// pivot that is not positive and finite get 1, and their values are undefined. Returns the largest memory of
/// the systems at one time in bytes.
template <class Space>
struct DenseSystems;

namespace detail {

/// The systems of one thread.
template <class Places>
class Systems {
 public:
  Systems(LowerRows const& rows, PatternView pattern, Span<unsigned char const> active, Span<double> value,
          Span<unsigned char> failed, std::atomic<std::size_t>& bytes)
      : pattern_(pattern), active_(active), value_(value), failed_(failed), gather_(rows.A), bytes_(bytes) {}
  Systems(Systems&&) noexcept = default;
  ~Systems() { bytes_ += matrix_.bytes() + solution_.bytes(); }

  /// Solves a block of rows in the order of their sizes, so that a batch has systems of similar size.
  void operator()(Index begin, Index end) {
    order_.clear();
    for (Index r = begin; r < end; ++r) {
      if (active_.empty() || active_[r] != 0) order_.push_back(r);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [this](Index a, Index b) { return pattern_.size(a) < pattern_.size(b); });
    auto const batched =
        std::partition_point(order_.begin(), order_.end(),
                             [this](Index r) { return pattern_.size(r) <= largest_batched; }) -
        order_.begin();
    auto const rows = static_cast<std::ptrdiff_t>(order_.size());
    for (std::ptrdiff_t at = 0; at < batched; at += lanes)
      solve_batch(order_.data() + at, static_cast<int>(std::min<std::ptrdiff_t>(lanes, batched - at)));
    for (auto at = batched; at < rows; ++at) solve_single(order_[at]);
  }

 private:
  void reserve(std::size_t matrix, std::size_t solution) {
    if (matrix > matrix_.size()) matrix_ = Array<double, Host>(Host{}, matrix);
    if (solution > solution_.size()) solution_ = Array<double, Host>(Host{}, solution);
  }

  /// Pads smaller systems by an identity after their last row, which changes none of their numbers.
  void solve_batch(Index const* row, int count) {
    auto const m = pattern_.size(row[count - 1]);
    auto const vector = static_cast<std::size_t>(m) * lanes;
    reserve(triangle(m) * lanes, 2 * vector);
    auto* const matrix = matrix_.data();
    auto* const solution = solution_.data();
    std::fill_n(matrix, triangle(m) * lanes, 0.0);
    std::fill_n(solution, vector, 0.0);
    for (int w = 0; w < lanes; ++w) {
      auto const mine = w < count ? pattern_.size(row[w]) : 0;
      if (w < count) {
        gather_(row[w], pattern_.row(row[w]), true,
                [=](Index a, Index b, double v) { matrix[(triangle(a) + b) * lanes + w] = v; });
        solution[static_cast<std::size_t>(mine - 1) * lanes + w] = 1.0;
      }
      for (Index a = mine; a < m; ++a) matrix[(triangle(a) + a) * lanes + w] = 1.0;
    }
    BadPivots pivots;
    factorise_batch(m, reinterpret_cast<Lanes*>(matrix), reinterpret_cast<Lanes*>(solution + vector), pivots);
    substitute_batch(m, reinterpret_cast<Lanes const*>(matrix), reinterpret_cast<Lanes*>(solution));
    for (int w = 0; w < count; ++w) {
      if (pivots.bad[w]) failed_[row[w]] = 1;
      auto* const g = value_.data() + pattern_.offsets[row[w]];
      auto const last = pattern_.size(row[w]) - 1;
      double const scale = 1.0 / std::sqrt(matrix[(triangle(last) + last) * lanes + w]);
      for (Index a = 0; a <= last; ++a) g[a] = solution[static_cast<std::size_t>(a) * lanes + w] * scale;
    }
  }

  void solve_single(Index r) {
    auto const m = pattern_.size(r), panels = (m + lanes - 1) / lanes, rows = panels * lanes;
    auto const numbers = PanelTriangle::count(panels) * lanes, padded = static_cast<std::size_t>(rows);
    reserve(numbers, (lanes + 3) * padded);
    PanelTriangle const matrix{reinterpret_cast<Lanes*>(matrix_.data())};
    auto *const D = solution_.data() + lanes * padded, *const reciprocal = D + padded,
                *const x = reciprocal + padded;
    std::fill_n(matrix_.data(), numbers, 0.0);
    gather_(r, pattern_.row(r), true, [=](Index a, Index b, double v) { matrix.at(a, b) = v; });
    for (Index a = m; a < rows; ++a) matrix.at(a, a) = 1.0;
    if (!factorise_single(panels, matrix, D, reciprocal, reinterpret_cast<Lanes*>(solution_.data()))) {
      failed_[r] = 1;
      return;
    }
    std::fill_n(x, rows, 0.0);
    x[m - 1] = 1.0;
    substitute_single(panels, matrix, x);
    auto* const g = value_.data() + pattern_.offsets[r];
    double const scale = 1.0 / std::sqrt(D[m - 1]);
    for (Index a = 0; a < m; ++a) g[a] = x[a] * scale;
  }

  PatternView pattern_;
  Span<unsigned char const> active_;
  Span<double> value_;
  Span<unsigned char> failed_;
  Gather<Places> gather_;
  std::atomic<std::size_t>& bytes_;
  std::vector<Index> order_;
  Array<double, Host> matrix_, solution_;  ///< solution_: followed by the reciprocals of D
};

}  // namespace detail

template <>
struct DenseSystems<Host> {
  /// Each thread has one batch in memory at a time, which is less than any `workspace`.
  static std::size_t run(Host const&, LowerRows const& rows, PatternView pattern,
                         Span<unsigned char const> active, Span<double> value, std::size_t /*workspace*/,
                         Span<unsigned char> failed) {
    std::atomic<std::size_t> bytes{0};
    with_places(rows.A.columns, [&](auto* places) {
      using Places = std::remove_pointer_t<decltype(places)>;
      sparse::for_row_blocks(
          pattern.rows, [&] { return detail::Systems<Places>(rows, pattern, active, value, failed, bytes); });
    });
    return bytes;
  }
};

}  // namespace Tessera::fsai

#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/dense_systems_cuda.cuh"
#endif
