#pragma once
/// \file
/// The static pattern of G (Bernaschi, Bisson, Fantozzi, Janna 2016, section 3, eq. (3.8), (3.9)).
#include <cmath>

#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// Selects the entries of A that stay after the prefilter (Bernaschi et al. 2016, eq. (3.8)).
struct PrefilterBody {
  sparse::CsrView<double> A;
  Span<double const> diagonal;
  double tau;
  Index columns;  ///< as LowerRows::columns
  TESSERA_HD Offset begin(Index i) const { return A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return A.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index i, Offset k) const {
    Index const j = A.column[k];
    return j == i || (j < columns && std::fabs(A.value[k]) > tau * std::sqrt(diagonal[i] * diagonal[j]));
  }
  TESSERA_HD void take(Index, Offset k, Index& column) const { column = A.column[k]; }
};

/// The pattern after the prefilter: each row keeps its diagonal and the columns j with
/// |a_ij| > tau sqrt(a_ii a_jj). All rows of LowerRows. Columns j > i stay, because a step of the pattern may
/// pass through them.
template <class Space>
Pattern<Space> prefiltered(Space const& space, LowerRows const& rows, double tau);
/// The same for any matrix. diagonal: of all columns; columns: see LowerRows::columns.
template <class Space>
Pattern<Space> prefiltered(Space const& space, sparse::CsrView<double> A, Span<double const> diagonal,
                           double tau, Index columns);

/// Limits of a row of the static pattern.
struct RowBound {
  int level = 3;       ///< steps along the filtered matrix
  Index max_size = 1;  ///< entries of a row
};

/// Row i has the columns that at most `level` steps along `filtered` reach from i without leaving {j <= i}.
/// Since each filtered row has its diagonal, this is Low(Low(Low(I F) F) ...), found row by row without the
/// intermediate patterns. A row that would exceed bound.max_size entries is cut: it takes the largest number
/// of steps that stays within the bound, and has cut[r] = 1, other rows 0. fill_cut_rows adds entries to cut
/// rows.
template <class Space>
Pattern<Space> static_pattern(Space const& space, PatternView filtered, OwnRows const& own, RowBound bound,
                              Span<unsigned char> cut);

}  // namespace Tessera::fsai
