#pragma once
/// \file
/// How the filtered diagonal is made.
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "galerkin/filter.hpp"

namespace Tessera::galerkin {

/// Diagonal entry and dropped entries of one row.
struct FilteredRow {
  double a_ii = 0, dropped = 0;
  bool any = false;
  TESSERA_HD FilteredRow(sparse::CsrView<double> const& A, Span<unsigned char const> strong, Index i,
                         bool filtered) {
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.column[k] == i) {
        a_ii = A.value[k];
      } else if (filtered && strong[k] == 0) {
        dropped += A.value[k];
        any = true;
      }
    }
  }
};

struct FilteredDiagonalBody {
  sparse::CsrView<double> A;
  Span<unsigned char const> strong;
  FilterParameters parameters;
  Span<double> diagonal;
  Span<unsigned char> lumped;
  TESSERA_HD void operator()(Index i) const {
    FilteredRow const row(A, strong, i, parameters.filtered);
    double const sum = row.a_ii + row.dropped;
    bool const lump = row.any && sum > 0 && sum > parameters.keep_above * row.a_ii;
    diagonal[i] = lump ? sum : row.a_ii;
    lumped[i] = lump ? 1 : 0;
  }
};

struct RefreshFilteredDiagonalBody {
  sparse::CsrView<double> A;
  Span<unsigned char const> strong, lumped;
  Span<double> diagonal;
  TESSERA_HD void operator()(Index i) const {
    FilteredRow const row(A, strong, i, lumped[i] != 0);
    double const sum = row.a_ii + row.dropped;
    diagonal[i] = row.any && sum > 0 ? sum : row.a_ii;
  }
};

template <class Space>
void filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                       Span<unsigned char const> strong, FilterParameters const& parameters,
                       Span<double> diagonal, Span<unsigned char> lumped) {
  TESSERA_EXPECT(!parameters.filtered || strong.size() == A.local.column.size());
  core::for_each(space, A.local.rows,
                 FilteredDiagonalBody{A.local.view(), strong, parameters, diagonal, lumped});
}

template <class Space>
void refresh_filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                               Span<unsigned char const> strong, Span<unsigned char const> lumped,
                               Span<double> diagonal) {
  core::for_each(space, A.local.rows, RefreshFilteredDiagonalBody{A.local.view(), strong, lumped, diagonal});
}

}  // namespace Tessera::galerkin
