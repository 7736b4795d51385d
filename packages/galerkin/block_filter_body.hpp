#pragma once
/// \file
/// The diagonal blocks of a filtered matrix; see filtered_blocks in prolongator.hpp.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "comm/global_reduction.hpp"
#include "core/error.hpp"
#include "core/interleaved.hpp"
#include "core/parallel.hpp"
#include "galerkin/prolongator.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::galerkin {

/// Number of vectors, and of columns of a diagonal block, that one pass over A treats.
constexpr int pass_width = 3;
/// Sums of a row for the vectors of a pass, followed by the sums of absolute values.
using PassSums = core::Interleaved<double, 2 * pass_width>;

/// Entries of a row in the columns of a pass of its diagonal block, and the number of its weak entries.
struct BlockEntries {
  double entry[pass_width] = {};
  Index there = 0, weak = 0;  ///< there: one bit per column
  TESSERA_HD BlockEntries& operator+=(BlockEntries const& other) {
    for (int c = 0; c < pass_width; ++c) entry[c] += other.entry[c];  // each column occurs once
    there += other.there;
    weak += other.weak;
    return *this;
  }
};

/// Selects the entries that the filter drops from a row.
struct WeakEntriesOfNodes {
  FilterParameters parameters;
  bool decides;
  Span<unsigned char const> strong, lumped;
  int equations;
  TESSERA_HD bool filters(Index i) const { return decides ? parameters.filtered : lumped[i] != 0; }
  /// The column of the entry in the diagonal block of row i; at least `equations` if it has none.
  TESSERA_HD unsigned block_column(Index i, Index c) const {
    return static_cast<unsigned>(c - i / equations * equations);
  }
  TESSERA_HD bool operator()(Index i, Offset k, Index c) const {
    return filters(i) && strong[k] == 0 && block_column(i, c) >= static_cast<unsigned>(equations);
  }
};

/// sum_j a_ij B_j over weak entries, and the entries of the diagonal block, for the vectors and columns from
/// `first` on.
struct NodeRowSums {
  using Sum = sparse::PartlyOrdered<PassSums, BlockEntries>;
  WeakEntriesOfNodes is_weak;
  KeptVectors B;
  int first, passes;
  double *S, *sizes;     ///< rows x count; sizes: sums of absolute values
  double* entries;       ///< rows x equations
  unsigned char* there;  ///< rows x passes
  Index* weak;

  /// The term is assembled at the end, so that its numbers stay in registers.
  TESSERA_HD Sum operator()(Index i, Offset k, double a, Index c) const {
    int const n = is_weak.equations;
    bool const weak_here = is_weak(i, k, c);
    auto const at = is_weak.block_column(i, c) - static_cast<unsigned>(first);
    double product[pass_width] = {};
    if (weak_here) {
      double const* const b = B(c) + first;
      for (int s = 0; s < pass_width; ++s) product[s] = first + s < B.count ? a * b[s] : 0.0;
    }
    Sum term;
    for (int s = 0; s < pass_width; ++s) {
      bool const is_here = first + s < n && at == static_cast<unsigned>(s);
      term.rest.entry[s] = is_here ? a : 0.0;
      term.rest.there += is_here ? 1 << s : 0;
      term.ordered.column[s] = product[s];
      term.ordered.column[pass_width + s] = fabs(product[s]);
    }
    term.rest.weak = weak_here ? 1 : 0;
    return term;
  }
  TESSERA_HD void operator()(Index i, Sum const& sums) const {
    int const n = is_weak.equations;
    for (int s = 0; s < pass_width; ++s) {
      if (first + s < n) entries[static_cast<Offset>(i) * n + first + s] = sums.rest.entry[s];
      if (first + s >= B.count) continue;
      S[static_cast<Offset>(i) * B.count + first + s] = sums.ordered.column[s];
      sizes[static_cast<Offset>(i) * B.count + first + s] = sums.ordered.column[pass_width + s];
    }
    there[static_cast<Offset>(i) * passes + first / pass_width] = static_cast<unsigned char>(sums.rest.there);
    weak[i] = sums.rest.weak;
  }
};

/// Solves delta B_I = S for one node by Gauss-Jordan elimination with one equation per vector. The pivot of
/// an equation is the largest coefficient of an unknown that has no pivot yet. If `decides`, equations that
/// depend on earlier equations must be satisfied; a row that violates one gets NaN. If N > 0, N is the number
/// of equations, and a thread keeps its system in registers.
template <int N>
struct BlockShareBody {
  static constexpr double dependent = 1e-10, holds = 1e-10;
  bool decides;
  KeptVectors B;
  int given_equations;
  double const *S, *sizes;  ///< sizes: sums of absolute values, rows x count
  double* delta;            ///< rows x equations
  double* scratch;          ///< rows x (equations + 2), where N is 0

  TESSERA_HD void operator()(Index node) const {
    int const n = equations();
    Offset const row = static_cast<Offset>(node) * n;
    if constexpr (N > 0) {
      double solved[N * N], share[N * N], next[N], right[N];
      solve(node, {solved, share, next, right});
      for (int k = 0; k < N * N; ++k) delta[row * N + k] = share[k];
    } else {
      double* const own = scratch + row * (n + 2);
      solve(node, {own, delta + row * n, own + n * n, own + n * n + n});
    }
  }

 private:
  TESSERA_HD int equations() const { return N > 0 ? N : given_equations; }
  /// The solved equations with one pivot each, row-major, and their right-hand sides; then coefficients and
  /// right-hand side of the next equation.
  struct System {
    double *solved, *share, *next, *right;
  };
  TESSERA_HD void solve(Index node, System const& of) const {
    int const n = equations();
    Offset const row = static_cast<Offset>(node) * n;
    for (int k = 0; k < n * n; ++k) of.solved[k] = of.share[k] = 0;
    int dependent_equations = 0;
    for (int c = 0; c < B.count; ++c) dependent_equations += take(row, c, of) ? 0 : 1;
    if (!decides || dependent_equations == 0) return;
    for (int i = 0; i < n; ++i) {
      if (!keeps_all(row, i, of.share + i * n)) of.share[i * n] = NAN;
    }
  }
  /// Whether the correction of a row satisfies the equations of all vectors.
  TESSERA_HD bool keeps_all(Offset row, int i, double const* share) const {
    bool all = true;
    for (int c = 0; c < B.count; ++c) {
      double left = S[(row + i) * B.count + c];
      for (int k = 0; k < equations(); ++k) left -= share[k] * B.own[(row + k) * B.count + c];
      all = all && fabs(left) <= holds * sizes[(row + i) * B.count + c];
    }
    return all;
  }
  /// The equation of vector c, if it is independent.
  TESSERA_HD bool take(Offset row, int c, System const& of) const {
    int const n = equations();
    auto* const U = of.solved;
    auto* const t = of.next;
    auto* const D = of.share;
    Equation const own{t, of.right, 1};
    double const largest = read(row, c, own);
    for (int p = 0; p < n; ++p) {
      if (U[p * n + p] != 0) subtract(t[p], {U + p * n, D + p, n}, own);
    }
    int pivot = 0;
    for (int k = 1; k < n; ++k) pivot = fabs(t[k]) > fabs(t[pivot]) ? k : pivot;
    double const at_pivot = t[pivot];
    if (!(fabs(at_pivot) > dependent * largest)) return false;
    for (int k = 0; k < n; ++k) t[k] = k == pivot ? 1.0 : U[k * n + k] != 0 ? 0.0 : t[k] / at_pivot;
    for (int i = 0; i < n; ++i) own.right[i] /= at_pivot;
    for (int p = 0; p < n; ++p) {
      double const factor = p == pivot ? 0.0 : U[p * n + pivot];
      if (factor != 0) subtract(factor, own, {U + p * n, D + p, n});
    }
    for (int k = 0; k < n; ++k) U[pivot * n + k] = t[k];
    for (int i = 0; i < n; ++i) D[i * n + pivot] = own.right[i];
    return true;
  }
  /// Coefficients are contiguous, right-hand sides `stride` apart.
  struct Equation {
    double *coefficient, *right;
    int stride;
  };
  /// Eliminates vector c. Returns the largest coefficient.
  TESSERA_HD double read(Offset row, int c, Equation to) const {
    double largest = 0;
    for (int k = 0; k < equations(); ++k) {
      double const coefficient = B.own[(row + k) * B.count + c];
      to.coefficient[k] = coefficient;
      to.right[k] = S[(row + k) * B.count + c];
      largest = fabs(coefficient) > largest ? fabs(coefficient) : largest;
    }
    return largest;
  }
  TESSERA_HD void subtract(double factor, Equation from, Equation to) const {
    for (int k = 0; k < equations(); ++k) to.coefficient[k] -= factor * from.coefficient[k];
    for (int i = 0; i < equations(); ++i) to.right[i * to.stride] -= factor * from.right[i * from.stride];
  }
};

/// Adds the correction of a row to its entries of the diagonal block if the bounds allow it.
struct JoinBlockBody {
  WeakEntriesOfNodes is_weak;
  int passes;
  double const* entries;
  unsigned char const* there;
  Index const* weak;
  double *blocks, *diagonal;  ///< blocks: the corrections
  unsigned char* lumped;

  TESSERA_HD void operator()(Index i) const {
    int const n = is_weak.equations, own = i % n;
    double* const block = blocks + static_cast<Offset>(i) * n;
    double const* const entry = entries + static_cast<Offset>(i) * n;
    bool const lumps = may_join(i, block, entry[own]);
    if (is_weak.decides) lumped[i] = lumps ? 1 : 0;
    for (int k = 0; k < n; ++k) block[k] = (lumps ? block[k] : 0.0) + entry[k];
    diagonal[i] = block[own];
  }

 private:
  TESSERA_HD bool may_join(Index i, double const* block, double a_ii) const {
    int const n = is_weak.equations;
    double correction = 0;
    bool fits = true;  // absent entries are zero
    for (int k = 0; k < n; ++k) {
      correction += fabs(block[k]);
      int const is_there = there[static_cast<Offset>(i) * passes + k / pass_width] >> k % pass_width & 1;
      fits = fits && (block[k] == 0 || is_there != 0);
    }
    return weak[i] > 0 && fits && correction < HUGE_VAL && is_sound(a_ii + block[i % n], a_ii, correction);
  }
  TESSERA_HD bool is_sound(double d, double a_ii, double correction) const {
    if (!is_weak.decides) return d > 0 && d < HUGE_VAL;
    double const least = is_weak.parameters.keep_above;
    return d > 0 && d > least * a_ii && least * d < a_ii && least * correction < a_ii;
  }
};

/// Row sums of |A_F| relative to its diagonal.
struct FilteredBlockSums {
  WeakEntriesOfNodes is_weak;
  double const *blocks, *diagonal;
  TESSERA_HD double operator()(Index i, Offset k, double a, Index c) const {
    auto const at = is_weak.block_column(i, c);
    if (at < static_cast<unsigned>(is_weak.equations))
      return fabs(blocks[static_cast<Offset>(i) * is_weak.equations + at]);
    return is_weak.lumped[i] != 0 && is_weak.strong[k] == 0 ? 0.0 : fabs(a);
  }
  TESSERA_HD double operator()(Index i, double sum) const { return sum / diagonal[i]; }
};

/// Calls work(integral_constant) with the number of equations if it is a common one, else with 0.
template <class Work>
void with_equations(int equations, Work const& work) {
  if (equations == 2) return work(std::integral_constant<int, 2>{});
  if (equations == 3) return work(std::integral_constant<int, 3>{});
  if (equations == 6) return work(std::integral_constant<int, 6>{});
  work(std::integral_constant<int, 0>{});
}

template <class Space>
void filtered_blocks(Space const& space, comm::DistCsr<double, Space> const& A,
                     Span<unsigned char const> strong, FilterParameters const& parameters,
                     KeptVectors const& B, int equations, bool decides, Span<double> blocks,
                     Span<double> diagonal, Span<unsigned char> lumped, double* bound) {
  auto const rows = static_cast<std::size_t>(A.local.rows);
  TESSERA_EXPECT(rows % equations == 0 && blocks.size() == rows * equations);
  WeakEntriesOfNodes const is_weak{parameters, decides, strong, lumped, equations};
  int const passes = (std::max(B.count, equations) + pass_width - 1) / pass_width;
  Array<double, Space> entries(space, rows * equations);
  Array<unsigned char, Space> there(space, rows * passes);
  Array<Index, Space> weak(space, rows);
  {
    Array<double, Space> S(space, rows * B.count), sizes(space, rows * B.count);
    for (int c = 0; c < passes * pass_width; c += pass_width) {
      NodeRowSums const sums{is_weak,      B,          c, passes, S.data(), sizes.data(), entries.data(),
                             there.data(), weak.data()};
      sparse::row_reduce(space, A.local.view(), sums, sums);
    }
    with_equations(equations, [&](auto width) {
      constexpr int N = decltype(width)::value;
      Array<double, Space> scratch(space, N > 0 ? 0 : rows * (equations + 2));
      core::for_each(
          space, rows / equations,
          BlockShareBody<N>{decides, B, equations, S.data(), sizes.data(), blocks.data(), scratch.data()});
    });
  }
  core::for_each(space, rows,
                 JoinBlockBody{is_weak, passes, entries.data(), there.data(), weak.data(), blocks.data(),
                               diagonal.data(), lumped.data()});
  FilteredBlockSums const sums{is_weak, blocks.data(), diagonal.data()};
  Array<double, Space> of_row(space, rows);
  sparse::StoreNumber<FilteredBlockSums, double> const store{sums, of_row.data()};
  comm::GlobalReduction<Space> global_reduction(space, comm::ranks_with_rows(A.rows), A.local.rows);
  global_reduction.template reduce<double>(
      core::Max{}, core::StoreResult<double>{bound}, [&](auto const& finish, auto& scratch) {
        sparse::row_reduce_into(space, A.local.view(), sums, store,
                                core::fixed_tree::Load<double>{of_row.data()}, core::Max{}, 0.0, finish,
                                scratch);
      });
}

}  // namespace Tessera::galerkin
