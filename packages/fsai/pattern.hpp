#pragma once
/// \file
/// The rows of A that a part of G depends on, and the patterns of G: the static pattern (Bernaschi, Bisson,
/// Fantozzi, Janna 2016, section 3, eq. (3.8), (3.9)) and its adaptive growth.
#include <cmath>
#include <limits>

#include "comm/archive.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// Positions of the owned rows among the owned and ghost rows of this rank.
struct OwnRows {
  Index ghosts = 0;            ///< number of ghost rows
  Span<Index const> position;  ///< of owned rows; empty: owned rows come last
  TESSERA_HD Index operator()(Index r) const { return position.empty() ? ghosts + r : position[r]; }
};

/// Input of the kernels: owned rows, and the ghost rows that this rank's part of G can reach. Rows and
/// columns stand in the order in which G is triangular. Columns ascend within a row, and each row has its
/// diagonal.
struct LowerRows {
  sparse::CsrView<double> A;  ///< square
  OwnRows own;
  /// Rows from this one on are columns of G only on their own diagonal.
  Index columns = std::numeric_limits<Index>::max();
};

/// A pattern with ascending columns. Row r is row own(r) of LowerRows, and its last entry is its diagonal.
struct PatternView {
  Index rows = 0;
  Span<Offset const> offsets;  ///< rows + 1
  Span<Index const> column;    ///< positions in LowerRows
  TESSERA_HD Index size(Index r) const { return static_cast<Index>(offsets[r + 1] - offsets[r]); }
  TESSERA_HD Span<Index const> row(Index r) const {
    return column.part(offsets[r], static_cast<std::size_t>(size(r)));
  }
};

template <class Space>
struct Pattern {
  Array<Offset, Space> offsets;
  Array<Index, Space> column;
  PatternView view() const { return {static_cast<Index>(offsets.size()) - 1, offsets.view(), column.view()}; }
  std::size_t bytes() const { return offsets.bytes() + column.bytes(); }
  /// Saves or loads a pattern of `count` rows. The columns are checked later, against the rows of A.
  void archive(core::Archive& file, Space const& space, Index count) {
    auto& [rows, columns] = *this;
    std::size_t entries = 0;
    file.array(space, rows, [&](Span<Offset const> all) {
      core::require_offsets(file, all, static_cast<std::size_t>(count), "offsets of a pattern's rows");
      entries = static_cast<std::size_t>(all[count]);
    });
    file.array(space, columns, [&](Span<Index const> all) {
      core::require_size(file, all, entries, "columns of a pattern");
    });
  }
};

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

/// Limits of one growth step.
struct GrowthRule {
  int step_size = 8;  ///< entries that a row gains, or half of its size if that is larger
  int max_row_size = 1024;
  double tolerance = 0;  ///< least gain of a new entry
  /// Number of entries that a row of `size` entries may gain.
  TESSERA_HD Index growth_limit(Index size) const {
    Index const wanted = size / 2 > step_size ? size / 2 : step_size, left = max_row_size - size;
    return wanted < left ? wanted : left < 0 ? 0 : left;
  }
};

/// One growth step for each row with active[r] != 0. On return, active[r] is 1 for each row that has grown.
/// Candidates are the columns j < min(i, rows.columns) outside of the pattern with a gain t_j t_j / a_jj >
/// tolerance, t = A g_i. Since g_i^T A g_i = 1, this gain is the fraction by which the new entry alone lowers
/// the row's factor of the Kaporin number. The largest gains win, as many as the rule allows; the smaller
/// column wins a tie. value: G on the old pattern. t_j = 0 + a_pj g_p + ... over p in P_i, ascending, with
/// the stored entries j of row p of A.
template <class Space>
Pattern<Space> grown_pattern(Space const& space, LowerRows const& rows, PatternView pattern,
                             Span<double const> value, Span<unsigned char> active, GrowthRule const& rule);

}  // namespace Tessera::fsai
