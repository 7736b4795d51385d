#pragma once
/// \file
/// How the filtered diagonal is made.
#include <cmath>

#include "comm/over_ranks.hpp"
#include "core/error.hpp"
#include "galerkin/filter.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::galerkin {

/// Of the weak entries of a row, and of absolute values.
struct WeakAndStrong {
  double weak = 0, absolute_weak = 0, absolute_strong = 0;
  TESSERA_HD WeakAndStrong& operator+=(WeakAndStrong const& other) {
    weak += other.weak;
    absolute_weak += other.absolute_weak;
    absolute_strong += other.absolute_strong;
    return *this;
  }
};
/// What is zero but for one entry, and how many are weak.
struct DiagonalAndCount {
  double a_ii = 0, weak = 0;
  TESSERA_HD DiagonalAndCount& operator+=(DiagonalAndCount const& other) {
    a_ii += other.a_ii;
    weak += other.weak;
    return *this;
  }
};
using FilteredSums = sparse::PartlyOrdered<WeakAndStrong, DiagonalAndCount>;

/// The rows of A that may be lumped, or that are.
struct FilteredRows {
  bool decides;  ///< and whether they are is written, not read
  FilterParameters parameters;
  Span<unsigned char const> strong;
  unsigned char* lumped;
  double* diagonal;

  /// Without branches, since which entries are weak cannot be predicted; nothing changes by adding 0.
  TESSERA_HD FilteredSums operator()(Index i, Offset k, double a, Index c) const {
    bool const filters = decides ? parameters.filtered : lumped[i] != 0;
    bool const is_diagonal = c == i, is_weak = filters && ((c != i) & (strong[k] == 0));
    double const weak = is_weak ? a : 0.0;
    return {{weak, fabs(weak), is_weak || is_diagonal ? 0.0 : fabs(a)},
            {is_diagonal ? a : 0.0, is_weak ? 1.0 : 0.0}};
  }
  /// Writes a row's results; its sum of absolute values over its diagonal.
  TESSERA_HD double operator()(Index i, FilteredSums const& sums) const {
    double const a_ii = sums.rest.a_ii, lumped_sum = a_ii + sums.ordered.weak;
    bool const any = sums.rest.weak > 0;
    bool const lumps = any && lumped_sum > 0 && (!decides || lumped_sum > parameters.keep_above * a_ii);
    if (decides) lumped[i] = lumps ? 1 : 0;
    diagonal[i] = lumps ? lumped_sum : a_ii;
    bool const drops = decides ? lumps : any;
    double const others = sums.ordered.absolute_strong + (drops ? 0 : sums.ordered.absolute_weak);
    return (fabs(diagonal[i]) + others) / diagonal[i];
  }
};

template <class Space>
void filter_rows(Space const& space, comm::DistCsr<double, Space> const& A, FilteredRows const& rows,
                 double* bound) {
  comm::OverRanks<Space> over_ranks(space, A.rows.comm(), A.local.rows);
  Array<double, Space> of_row(space, A.local.rows);
  sparse::StoreNumber<FilteredRows, double> const store{rows, of_row.data()};
  over_ranks.template reduce<double>(core::Max{}, core::StoreResult<double>{bound},
                                     [&](auto const& finish, auto& scratch) {
                                       sparse::row_reduce_into(space, A.local.view(), rows, store,
                                                               core::fixed_tree::Load<double>{of_row.data()},
                                                               core::Max{}, 0.0, finish, scratch);
                                     });
}

template <class Space>
void filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                       Span<unsigned char const> strong, FilterParameters const& parameters,
                       Span<double> diagonal, Span<unsigned char> lumped, double* bound) {
  TESSERA_EXPECT(!parameters.filtered || strong.size() == A.local.column.size());
  filter_rows(space, A, {true, parameters, strong, lumped.data(), diagonal.data()}, bound);
}

template <class Space>
void refresh_filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                               Span<unsigned char const> strong, Span<unsigned char const> lumped,
                               Span<double> diagonal, double* bound) {
  filter_rows(space, A, {false, {}, strong, const_cast<unsigned char*>(lumped.data()), diagonal.data()},
              bound);
}

}  // namespace Tessera::galerkin
