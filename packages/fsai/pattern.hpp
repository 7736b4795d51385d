#pragma once
/// \file
/// The static pattern of G (Bernaschi, Bisson, Fantozzi, Janna 2016, section 3, eq. (3.8), (3.9)).
#include "core/error.hpp"
#include "fsai/lower_rows.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// A row of the pattern has more than max_row_size entries. Fsai says it again with the row's name.
struct RowTooLong : core::InvalidInput {
  RowTooLong(Index owned_row, Offset entries, Parameters const& parameters)
      : core::InvalidInput(core::message("row ", owned_row, " of the pattern has ", entries,
                                         " entries, more than ", parameters.max_row_size)),
        row(owned_row),
        size(entries) {}
  Index row;    ///< owned; the first such row of this rank
  Offset size;  ///< all of its entries
};

/// Which entries survive the prefilter: a pattern of all rows of the LowerRows, whose rows have
/// the columns j with |a_ij| > tau sqrt(a_ii a_jj), and the diagonal. Columns above the row stay: a step
/// of the pattern may pass through them.
template <class Space>
Pattern<Space> prefiltered(Space const& space, LowerRows const& rows, double tau);
/// The same of any matrix. diagonal: of all columns; columns: as LowerRows::columns.
template <class Space>
Pattern<Space> prefiltered(Space const& space, sparse::CsrView<double> A, Span<double const> diagonal,
                           double tau, Index columns);

/// Row i: what is reached from i in at most `level` steps along `filtered` without leaving {j <= i}. Since
/// each row of the filtered matrix has its diagonal, this is Low(Low(Low(I F) F) ...), found row by row
/// without the patterns in between. \throws RowTooLong for the first row that has more than
/// parameters.max_row_size entries
template <class Space>
Pattern<Space> static_pattern(Space const& space, PatternView filtered, OwnRows const& own,
                              Parameters const& parameters);

}  // namespace Tessera::fsai
