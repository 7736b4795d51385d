#pragma once
/// \file
/// Solution of the dense systems in a batch, and pivoted re-solve of the rows whose systems are singular to
/// rounding or indefinite. Such rows are few, because a singular component of A has only one or some.
///
/// Let x solve L^T x = e_m. Rounding errors of A's diagonal change d_m by up to u s, where
/// s = x_0^2 a_00 + x_1^2 a_11 + ... (Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.3:
/// the computed factors are those of A + E with |e_ij| <= about m u sqrt(a_ii a_jj)). A d_m of this size has
/// no correct digit. Example: d_m is 1e-10 although a_mm is 1, if nodes with couplings of 1e6 have one weak
/// coupling of 1.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/group.hpp"
#include "core/parallel.hpp"
#include "core/span.hpp"
#include "fsai/batch/dense_systems.hpp"
#include "fsai/row_systems.hpp"

namespace Tessera::fsai {

/// A system of `size` rows has a last pivot of zero to rounding if the pivot is at most this factor times s.
TESSERA_HD constexpr double zero_to_rounding(Index size) {
  return 64 * (std::numeric_limits<double>::epsilon() / 2) * size;
}

/// Sets near_singular[r] = 1 for rows whose energies g_j^2 a_jj sum up to a value that puts d_m near the
/// level of rounding errors. Rows that the batch could not solve have 1 on entry, other rows 0.
struct MarkNearSingularBody {
  PatternView pattern;
  Span<double const> diagonal, value;
  Span<unsigned char const> active;
  Span<unsigned char> near_singular;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index r) const {
    if (near_singular[r] != 0 || (!active.empty() && active[r] == 0)) return;
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
    if (group.lane == 0 && !sound) near_singular[r] = 1;
  }
};

struct ListedSizeBody {
  PatternView pattern;
  Span<Index const> list;
  TESSERA_HD Index operator()(Index p) const { return pattern.size(list[p]); }
};

/// Solves the system of row list[p] again, with the rule of row_systems.hpp for pivots that are zero to
/// rounding. pivot[p]: the first pivot that shows that A is indefinite, or 1.
struct PivotedResolveBody {
  sparse::CsrView<double> A;
  PatternView pattern;
  Span<double const> diagonal;  ///< of A, by position
  Span<Index const> list;
  Span<double> value, pivot;
  double* workspace;
  std::size_t stride;  ///< workspace of a row, in doubles

  static std::size_t doubles(Index size) {
    auto const m = static_cast<std::size_t>(size);
    return m * (m + 1) / 2 + 2 * m;
  }

  /// The system of one row.
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
      bad = check_pivot(group, system, j);
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

  /// Computes column j of L D.
  template <class Group>
  TESSERA_HD static void eliminate(Group const& group, System const& s, Index j) {
    for (Index i = j + group.lane; i < s.size(); i += Group::size) {
      double v = s.v(i, j);
      for (Index k = 0; k < j; ++k) v = std::fma(-s.v(i, k), s.l(j, k), v);
      s.v(i, j) = v;
    }
    group.sync();
  }

  /// Computes x for the leading j + 1 rows.
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

  /// Classifies d_j. Returns 1, or a pivot that no semidefinite matrix has. That pivot is d_j itself; or, if
  /// d_j is zero and v_ij is not, the value of d_j after an elimination of row i first.
  template <class Group>
  TESSERA_HD static double check_pivot(Group const& group, System const& s, Index j) {
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

  /// Stores the row of G; x belongs to the last column.
  template <class Group>
  TESSERA_HD static void write(Group const& group, System const& s, double* target) {
    Index const last = s.size() - 1;
    bool const singular = s.reciprocal[last] == 0;
    double const scale = 1 / std::sqrt(singular ? s.a(last) : s.v(last, last));
    for (Index k = group.lane; k <= last; k += Group::size)
      target[k] = singular ? (k == last ? scale : 0.0) : s.x[k] * scale;
  }
};

/// Solves the rows that the batch has marked, and all other rows that are singular to rounding. Returns the
/// first row that shows that A is indefinite. `workspace`: memory at one time in bytes; one row may exceed
/// it.
template <class Space>
RowFailure solve_near_singular_rows(Space const& space, LowerRows const& rows, PatternView pattern,
                                    Span<unsigned char const> active, Span<unsigned char> near_singular,
                                    Span<double> value, std::size_t workspace) {
  RowFailure failure;
  auto const n = static_cast<std::size_t>(pattern.rows);
  Array<double, Space> diagonal(space, rows.A.rows);
  sparse::extract_diagonal(space, rows.A, diagonal.span());
  constexpr std::size_t lanes = 8;
  core::for_each_group(space, n, lanes * n,
                       MarkNearSingularBody{pattern, diagonal.view(), value, active, near_singular});
  Array<Index, Space> all(space, n);
  auto const count =
      core::select(space, n, core::Load<unsigned char, bool>{near_singular.data()}, all.span());
  if (count == 0) return failure;
  Span<Index const> const list = all.view().part(0, count);
  auto const largest = core::reduce(space, count, ListedSizeBody{pattern, list}, core::Max{}, Index{0});
  auto const stride = PivotedResolveBody::doubles(largest);
  auto const batch =
      std::min<std::size_t>(count, std::max<std::size_t>(1, workspace / (stride * sizeof(double))));
  Array<double, Space> memory(space, batch * stride), pivot(space, count);
  for (std::size_t begin = 0; begin < count; begin += batch) {
    auto const size = std::min(batch, count - begin);
    core::for_each_group(space, size, core::GroupShape<32>{},
                         PivotedResolveBody{rows.A, pattern, diagonal.view(), list.part(begin, size), value,
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

template <class Space>
RowFailure solve_rows(Space const& space, LowerRows const& rows, PatternView pattern, Span<double> value,
                      std::size_t workspace, Span<unsigned char const> active) {
  Array<unsigned char, Space> near_singular(space, pattern.rows);
  core::fill(space, near_singular.span(), static_cast<unsigned char>(0));
  auto const bytes =
      DenseSystems<Space>::run(space, rows, pattern, active, value, workspace, near_singular.span());
  auto failure =
      solve_near_singular_rows(space, rows, pattern, active, near_singular.span(), value, workspace);
  failure.workspace = std::max(failure.workspace, bytes);
  return failure;
}

}  // namespace Tessera::fsai
