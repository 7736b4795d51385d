#pragma once
/// \file
/// Rows whose dense systems are singular to rounding, or not positive: found from what the batch made of
/// them, and solved again with care. There are few of them, a singular component of A having one or some.
///
/// With x the solution of L^T x = e_m, a rounding error of A's diagonal changes d_m by up to u s, s = x_0^2
/// a_00 + x_1^2 a_11 + ... (Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.3: the
/// computed factors are those of A + E with |e_ij| <= about m u sqrt(a_ii a_jj)). So d_m says nothing once it
/// is of that size: e.g. 1e-10 where nodes tied by 1e6 have one weak tie of 1, though a_mm is 1.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/bisection.hpp"
#include "core/group.hpp"
#include "core/parallel.hpp"
#include "fsai/row_systems.hpp"

namespace Tessera::fsai {

/// d_j of a system of j + 1 = `size` rows is zero to rounding when it is at most this times s.
TESSERA_HD constexpr double zero_to_rounding(Index size) {
  return 64 * (std::numeric_limits<double>::epsilon() / 2) * size;
}

/// Changes 1 for rows that the batch could not solve, and 0 for the others, to 1 for those, too, whose
/// energies g_j^2 a_jj sum up to so much that d_m is near the level of rounding.
struct DoubtfulBody {
  PatternView pattern;
  Span<double const> diagonal, value;
  Span<unsigned char const> active;
  Span<unsigned char> doubtful;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index r) const {
    if (doubtful[r] != 0 || (!active.empty() && active[r] == 0)) return;
    constexpr double margin = 64;
    auto const begin = pattern.offsets[r], end = pattern.offsets[r + 1];
    double energy = 0;
    for (auto first = begin; first < end; first += Group::size) {
      auto const k = first + group.lane;
      double const g = k < end ? value[k] : 0.0;
      double const mine = k < end ? g * g * diagonal[pattern.column[k]] : 0.0;
      for (int l = 0; l < Group::size && first + l < end; ++l) energy = energy + group.broadcast(mine, l);
    }
    bool const sound = energy * (margin * zero_to_rounding(pattern.size(r))) <= 1;
    if (group.lane == 0 && !sound) doubtful[r] = 1;
  }
};

struct IsDoubtful {
  Span<unsigned char const> doubtful;
  TESSERA_HD bool operator()(Index r) const { return doubtful[r] != 0; }
};

struct ListedSizeBody {
  PatternView pattern;
  Span<Index const> list;
  TESSERA_HD Index operator()(Index p) const { return pattern.size(list[p]); }
};

/// Row list[p] again, in the order of row_systems.hpp, which also says what becomes of pivots that are zero
/// to rounding. pivot[p]: the first that shows that A is indefinite, or 1.
struct PivotedSolveBody {
  sparse::CsrView<double> A;
  PatternView pattern;
  Span<double const> diagonal;  ///< of A
  Span<Index const> list;
  Span<double> value, pivot;
  double* workspace;
  std::size_t stride;  ///< doubles of the workspace for a row

  static std::size_t doubles(Index size) {
    auto const m = static_cast<std::size_t>(size);
    return m * (m + 1) / 2 + 2 * m;
  }

  /// Of one row.
  struct System {
    Span<Index const> P;
    Span<double const> diagonal;
    double *triangle, *reciprocal, *x;
    TESSERA_HD Index size() const { return static_cast<Index>(P.size()); }
    TESSERA_HD double& v(Index i, Index j) const {
      return triangle[static_cast<std::size_t>(i) * (i + 1) / 2 + j];
    }
    TESSERA_HD double l(Index i, Index k) const { return v(i, k) * reciprocal[k]; }
    TESSERA_HD double a(Index i) const { return diagonal[P[i]]; }
  };

  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index p) const {
    auto const P = pattern.row(list[p]);
    auto const m = static_cast<std::size_t>(P.size());
    auto* const mine = workspace + static_cast<std::size_t>(p) * stride;
    System const system{P, diagonal, mine, mine + m * (m + 1) / 2, mine + m * (m + 1) / 2 + m};
    gather(group, system);
    double bad = 1;
    for (Index j = 0; j < system.size() && bad == 1; ++j) {
      eliminate(group, system, j);
      substitute(group, system, j);
      bad = decide(group, system, j);
    }
    if (group.lane == 0) pivot[p] = bad;
    if (bad == 1) write(group, system, value.data() + pattern.offsets[list[p]]);
  }

 private:
  template <class Group>
  TESSERA_HD void gather(Group const& group, System const& s) const {
    Index const m = s.size();
    for (std::size_t k = group.lane; k < static_cast<std::size_t>(m) * (m + 1) / 2; k += Group::size)
      s.triangle[k] = 0;
    group.sync();
    for (Index i = 0; i < m; ++i) {
      for (auto k = A.offsets[s.P[i]] + group.lane; k < A.offsets[s.P[i] + 1]; k += Group::size) {
        Index const c = A.column[k];
        if (c > s.P[i]) break;  // columns ascend
        auto const j = static_cast<Index>(core::lower_bound(s.P, c));
        if (s.P[j] == c) s.v(i, j) = A.value[k];
      }
    }
    group.sync();
  }

  /// Column j of L D.
  template <class Group>
  TESSERA_HD static void eliminate(Group const& group, System const& s, Index j) {
    for (Index i = j + group.lane; i < s.size(); i += Group::size) {
      double v = s.v(i, j);
      for (Index k = 0; k < j; ++k) v = std::fma(-s.v(i, k), s.l(j, k), v);
      s.v(i, j) = v;
    }
    group.sync();
  }

  /// x of the leading j + 1 rows.
  template <class Group>
  TESSERA_HD static void substitute(Group const& group, System const& s, Index j) {
    for (Index k = group.lane; k <= j; k += Group::size) s.x[k] = k == j ? 1 : 0;
    group.sync();
    for (Index i = j; i > 0; --i) {
      double const xi = s.x[i];
      for (Index k = group.lane; k < i; k += Group::size) s.x[k] = std::fma(-s.l(i, k), xi, s.x[k]);
      group.sync();
    }
  }

  /// Decides on d_j, and returns 1 or a pivot that no semidefinite matrix has: d_j itself; or, where d_j is
  /// zero and v_ij is not, what d_j becomes when row i is eliminated first.
  template <class Group>
  TESSERA_HD static double decide(Group const& group, System const& s, Index j) {
    double const d = s.v(j, j);
    double energy = 0;
    for (Index k = 0; k <= j; ++k) energy = energy + s.x[k] * s.x[k] * s.a(k);
    double const rounding = zero_to_rounding(j + 1) * energy;
    bool const zero = std::fabs(d) <= rounding;
    bool const positive = d > 0 && d <= std::numeric_limits<double>::max();
    Index first = s.size();
    for (Index i = j + 1 + group.lane; zero && i < s.size(); i += Group::size) {
      if (s.v(i, j) * s.v(i, j) > 4 * rounding * s.a(i)) {
        first = i;
        break;
      }
    }
    first = -group.reduce(-first, core::Max{});
    if (group.lane == 0) s.reciprocal[j] = zero ? 0 : 1 / d;
    group.sync();
    if (first < s.size()) return d - s.v(first, j) * s.v(first, j) / s.a(first);
    return zero || positive ? 1 : d;
  }

  /// x is that of the last column.
  template <class Group>
  TESSERA_HD static void write(Group const& group, System const& s, double* target) {
    Index const last = s.size() - 1;
    bool const singular = s.reciprocal[last] == 0;
    double const scale = 1 / std::sqrt(singular ? s.a(last) : s.v(last, last));
    for (Index k = group.lane; k <= last; k += Group::size)
      target[k] = singular ? (k == last ? scale : 0.0) : s.x[k] * scale;
  }
};

/// The rows marked by the batch, and those that are in doubt beside them. Returns the first that shows that A
/// is indefinite; `workspace`: bytes that it may take at a time, or that of one row.
template <class Space>
RowFailure solve_doubtful_rows(Space const& space, LowerRows const& rows, PatternView pattern,
                               Span<unsigned char const> active, Span<unsigned char> doubtful,
                               Span<double> value, std::size_t workspace) {
  RowFailure failure;
  auto const n = static_cast<std::size_t>(pattern.rows);
  Array<double, Space> diagonal(space, rows.A.rows);
  sparse::extract_diagonal(space, rows.A, diagonal.span());
  constexpr std::size_t lanes = 8;
  core::for_each_group(space, n, lanes * n, DoubtfulBody{pattern, diagonal.view(), value, active, doubtful});
  Array<Index, Space> all(space, n);
  auto const count = core::select(space, n, IsDoubtful{doubtful}, all.span());
  if (count == 0) return failure;
  Span<Index const> const list = all.view().part(0, count);
  auto const most = core::reduce(space, count, ListedSizeBody{pattern, list}, core::Max{}, Index{0});
  auto const stride = PivotedSolveBody::doubles(most);
  auto const together =
      std::min<std::size_t>(count, std::max<std::size_t>(1, workspace / (stride * sizeof(double))));
  Array<double, Space> memory(space, together * stride), pivot(space, count);
  for (std::size_t begin = 0; begin < count; begin += together) {
    auto const size = std::min(together, count - begin);
    core::for_each_group(space, size, core::GroupShape<32>{},
                         PivotedSolveBody{rows.A, pattern, diagonal.view(), list.part(begin, size), value,
                                          pivot.span().part(begin, size), memory.data(), stride});
  }
  failure.workspace = memory.bytes();
  auto const pivots = core::to_vector(space, pivot.view());
  auto const bad = std::find_if(pivots.begin(), pivots.end(), [](double d) { return d != 1; });
  if (bad == pivots.end()) return failure;
  failure.row = core::to_vector(space, list.part(bad - pivots.begin(), 1)).front();
  failure.pivot = *bad;
  return failure;
}

}  // namespace Tessera::fsai
