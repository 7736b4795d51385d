#pragma once
/// \file
/// The static pattern of G (Bernaschi, Bisson, Fantozzi, Janna 2016, section 3, eq. (3.8), (3.9)).
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// Which entries survive the prefilter: a pattern of all rows of the LowerRows, whose rows have
/// the columns j with |a_ij| > tau sqrt(a_ii a_jj), and the diagonal. Columns above the row stay: a step
/// of the pattern may pass through them.
template <class Space>
Pattern<Space> prefiltered(Space const& space, LowerRows const& rows, double tau);
/// The same of any matrix. diagonal: of all columns; columns: as LowerRows::columns.
template <class Space>
Pattern<Space> prefiltered(Space const& space, sparse::CsrView<double> A, Span<double const> diagonal,
                           double tau, Index columns);

/// How long rows may get.
struct RowBound {
  int level = 3;   ///< steps of the pattern
  Index most = 1;  ///< entries of a row
};

/// Row i: what is reached from i in at most `level` steps along `filtered` without leaving {j <= i}. Since
/// each row of the filtered matrix has its diagonal, this is Low(Low(Low(I F) F) ...), found row by row
/// without the patterns in between. Rows that would have more than bound.most entries are cut: they have as
/// many steps as come to at most that, and cut[r] = 1, else 0; extend_cut_rows fills them.
template <class Space>
Pattern<Space> static_pattern(Space const& space, PatternView filtered, OwnRows const& own, RowBound bound,
                              Span<unsigned char> cut);

}  // namespace Tessera::fsai
