#pragma once
/// \file
/// The filtered diagonal.
#include <cmath>

#include "comm/over_ranks.hpp"
#include "core/error.hpp"
#include "galerkin/filter.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::galerkin {

/// Sums over the weak entries of a row, and over absolute values.
struct WeakAndStrong {
  double weak = 0, absolute_weak = 0, absolute_strong = 0;
  TESSERA_HD WeakAndStrong& operator+=(WeakAndStrong const& other) {
    weak += other.weak;
    absolute_weak += other.absolute_weak;
    absolute_strong += other.absolute_strong;
    return *this;
  }
};
/// A value that is zero except for one entry, and the number of weak entries.
struct DiagonalAndCount {
  double a_ii = 0, weak = 0;
  TESSERA_HD DiagonalAndCount& operator+=(DiagonalAndCount const& other) {
    a_ii += other.a_ii;
    weak += other.weak;
    return *this;
  }
};
using FilteredSums = sparse::PartlyOrdered<WeakAndStrong, DiagonalAndCount>;

/// For a B of ones: weak entries are lumped as they are.
struct WeighedByOnes {
  TESSERA_HD double term(double weak, Index) const { return weak; }
  TESSERA_HD double share(double sum, Index) const { return sum; }
  TESSERA_HD bool is_sound(double, double, double) const { return true; }
};
/// For any other B.
struct WeighedByVector {
  KeptVector B;
  TESSERA_HD double term(double weak, Index j) const { return weak * B(j); }
  TESSERA_HD double share(double sum, Index i) const { return sum / B(i); }
  /// False also for infinity, which results from B_i = 0.
  TESSERA_HD bool is_sound(double d, double a_ii, double keep_above) const { return d * keep_above < a_ii; }
};

/// Rows of A that may be lumped, or that are lumped.
template <class Weights>
struct FilteredRows {
  bool decides;  ///< whether `lumped` is written; else it is read
  FilterParameters parameters;
  Span<unsigned char const> strong;
  Weights weights;
  unsigned char* lumped;
  double* diagonal;

  /// Without branches, because weak entries are unpredictable; adding 0 changes nothing.
  TESSERA_HD FilteredSums operator()(Index i, Offset k, double a, Index c) const {
    bool const filters = decides ? parameters.filtered : lumped[i] != 0;
    bool const is_diagonal = c == i, is_weak = filters && ((c != i) & (strong[k] == 0));
    double const weak = is_weak ? a : 0.0;
    return {{weights.term(weak, c), fabs(weak), is_weak || is_diagonal ? 0.0 : fabs(a)},
            {is_diagonal ? a : 0.0, is_weak ? 1.0 : 0.0}};
  }
  /// Whether the weak entries of a row may be dropped, given this diagonal entry.
  TESSERA_HD bool is_sound(double d, double a_ii) const {
    if (!decides) return d > 0 && d < HUGE_VAL;
    return d > 0 && d > parameters.keep_above * a_ii && weights.is_sound(d, a_ii, parameters.keep_above);
  }
  /// Writes a row's results. Returns its sum of absolute values relative to its diagonal entry.
  TESSERA_HD double operator()(Index i, FilteredSums const& sums) const {
    double const a_ii = sums.rest.a_ii;
    bool const any = sums.rest.weak > 0;
    double const lumped_sum = any ? a_ii + weights.share(sums.ordered.weak, i) : a_ii;
    bool const lumps = any && is_sound(lumped_sum, a_ii);
    if (decides) lumped[i] = lumps ? 1 : 0;
    diagonal[i] = lumps ? lumped_sum : a_ii;
    bool const drops = decides ? lumps : any;
    double const others = sums.ordered.absolute_strong + (drops ? 0 : sums.ordered.absolute_weak);
    return (fabs(diagonal[i]) + others) / diagonal[i];
  }
};

template <class Space, class Weights>
void filter_rows(Space const& space, comm::DistCsr<double, Space> const& A, FilteredRows<Weights> const& rows,
                 double* bound) {
  comm::OverRanks<Space> over_ranks(space, A.rows.comm(), A.local.rows);
  Array<double, Space> of_row(space, A.local.rows);
  sparse::StoreNumber<FilteredRows<Weights>, double> const store{rows, of_row.data()};
  over_ranks.template reduce<double>(core::Max{}, core::StoreResult<double>{bound},
                                     [&](auto const& finish, auto& scratch) {
                                       sparse::row_reduce_into(space, A.local.view(), rows, store,
                                                               core::fixed_tree::Load<double>{of_row.data()},
                                                               core::Max{}, 0.0, finish, scratch);
                                     });
}

/// Calls work with the weights for B.
template <class Space>
void filter_rows(Space const& space, comm::DistCsr<double, Space> const& A, bool decides,
                 FilterParameters const& parameters, Span<unsigned char const> strong, KeptVector B,
                 unsigned char* lumped, double* diagonal, double* bound) {
  auto const with = [&](auto weights) {
    filter_rows(space, A,
                FilteredRows<decltype(weights)>{decides, parameters, strong, weights, lumped, diagonal},
                bound);
  };
  if (B.is_ones()) return with(WeighedByOnes{});
  with(WeighedByVector{B});
}

template <class Space>
void filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                       Span<unsigned char const> strong, FilterParameters const& parameters, KeptVector B,
                       Span<double> diagonal, Span<unsigned char> lumped, double* bound) {
  TESSERA_EXPECT(!parameters.filtered || strong.size() == A.local.column.size());
  filter_rows(space, A, true, parameters, strong, B, lumped.data(), diagonal.data(), bound);
}

template <class Space>
void refresh_filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                               Span<unsigned char const> strong, Span<unsigned char const> lumped,
                               KeptVector B, Span<double> diagonal, double* bound) {
  filter_rows(space, A, false, {}, strong, B, const_cast<unsigned char*>(lumped.data()), diagonal.data(),
              bound);
}

}  // namespace Tessera::galerkin
