#pragma once
/// \file
/// How the pattern of the product in blocks is found: by as few rows and columns as decide it.
#include "core/parallel.hpp"
#include "sparse/formats/csr.hpp"
#include "sparse/row_entries.hpp"

namespace Tessera::galerkin {

/// A pattern of blocks.
struct BlockPattern {
  Span<Offset const> offsets;
  Span<Index const> block;
  TESSERA_HD bool same_as_before(Index row) const {
    if (row == 0) return false;
    auto const begin = offsets[row], end = offsets[row + 1], before = offsets[row - 1];
    if (end - begin != begin - before) return false;
    for (Offset k = begin; k < end; ++k) {
      if (block[k] != block[before + k - begin]) return false;
    }
    return true;
  }
};

/// Blocks in a row.
struct RowBlocks {
  Span<Offset const> offsets;
  TESSERA_HD Index operator()(Index row) const { return static_cast<Index>(offsets[row + 1] - offsets[row]); }
};

struct BlockRowsBody {
  sparse::CsrView<double> P;
  int width;
  Span<Offset> offsets;
  Span<Index> block;
  TESSERA_HD void operator()(Index row) const {
    auto const begin = P.offsets[row] / width, end = P.offsets[row + 1] / width;
    offsets[row + 1] = end;
    for (Offset k = begin; k < end; ++k) block[k] = P.column[k * width] / width;
  }
};

/// Which rows have the pattern of the row before. For sparse::count_entries.
struct RepeatsBody {
  Span<Offset const> offsets;
  Span<Index const> column;
  Span<unsigned char> repeats;
  TESSERA_HD Offset begin(Index row) const { return offsets[row]; }
  TESSERA_HD Offset end(Index row) const { return offsets[row + 1]; }
  TESSERA_HD bool as_long(Index row) const {
    return row > 0 && end(row) - begin(row) == begin(row) - begin(row - 1);
  }
  TESSERA_HD bool operator()(Index row, Offset k) const {
    return !as_long(row) || column[k] != column[k - (end(row) - begin(row))];
  }
  TESSERA_HD void count(Index row, Offset different) const {
    repeats[row] = different == 0 && as_long(row) ? 1 : 0;
  }
};

/// What of A decides the pattern of A P: one row of those that follow each other with one pattern, in it one
/// column of those whose rows of P do. For sparse::count_entries and take_entries.
struct LeadersBody {
  static constexpr Index together =
      6;  ///< rows of A that are looked at together: one, two, three or six a node

  sparse::CsrView<double> A;
  Span<unsigned char const> A_repeats, P_repeats;
  Offset* counts;
  Span<Offset const> offsets;
  Span<Index> column;
  TESSERA_HD Offset begin(Index row) const { return A.offsets[row]; }
  TESSERA_HD Offset end(Index row) const { return A.offsets[row + 1]; }
  TESSERA_HD Offset start(Index row) const { return offsets[row]; }
  TESSERA_HD bool leads(Index row) const { return row % together == 0 || A_repeats[row] == 0; }
  TESSERA_HD bool operator()(Index row, Offset k) const {
    bool const goes_on =
        k > A.offsets[row] && A.column[k] == A.column[k - 1] + 1 && P_repeats[A.column[k]] != 0;
    return leads(row) && !goes_on;
  }
  TESSERA_HD void count(Index row, Offset found) const { counts[row] = found; }
  TESSERA_HD void take(Index, Offset k, Offset place) const { column[place] = A.column[k]; }
};

struct LeadsPredicate {
  LeadersBody leaders;
  TESSERA_HD bool operator()(Index row) const { return leaders.leads(row); }
};

/// Blocks in the rows of a group.
struct GroupBlocks {
  Span<Index const> groups;
  RowBlocks of_row;
  TESSERA_HD Index operator()(Index group) const {
    return (groups[group + 1] - groups[group]) * of_row(groups[group]);
  }
};

/// The pattern of all rows of A P from that of the leading ones. For take_entries, lengths first.
struct FollowersBody {
  LeadersBody leaders;
  BlockPattern found;
  Offset* lengths;
  Span<Offset const> offsets;
  Span<Index> block;
  TESSERA_HD Index leader(Index row) const {
    while (!leaders.leads(row)) --row;
    return row;
  }
  TESSERA_HD void operator()(Index row) const { lengths[row] = end(row) - begin(row); }
  TESSERA_HD Offset begin(Index row) const { return found.offsets[leader(row)]; }
  TESSERA_HD Offset end(Index row) const { return found.offsets[leader(row) + 1]; }
  TESSERA_HD Offset start(Index row) const { return offsets[row]; }
  TESSERA_HD bool operator()(Index, Offset) const { return true; }
  TESSERA_HD void take(Index, Offset k, Offset place) const { block[place] = found.block[k]; }
};

/// Every width-th row of R, as all rows of an aggregate have one pattern; of rows of A P that follow each
/// other with one pattern, the first. For sparse::count_entries and take_entries.
struct FirstRowsBody {
  sparse::CsrView<double> R;
  int width;
  LeadersBody leaders;
  Offset* counts;
  Span<Offset const> offsets;
  Span<Index> row;
  TESSERA_HD Offset begin(Index aggregate) const { return R.offsets[static_cast<Offset>(aggregate) * width]; }
  TESSERA_HD Offset end(Index aggregate) const {
    return R.offsets[static_cast<Offset>(aggregate) * width + 1];
  }
  TESSERA_HD Offset start(Index aggregate) const { return offsets[aggregate]; }
  TESSERA_HD bool operator()(Index, Offset k) const {
    return leaders.leads(R.column[k]) || leaders.P_repeats[R.column[k]] == 0;
  }
  TESSERA_HD void count(Index aggregate, Offset found) const { counts[aggregate] = found; }
  TESSERA_HD void take(Index, Offset k, Offset place) const { row[place] = R.column[k]; }
};

/// The scalar pattern of blocks of width x width: offsets, then columns, which are for take_entries.
struct ExpandBody {
  BlockPattern blocks;
  int width;
  Span<Offset> offsets;
  Span<Index> column;
  TESSERA_HD Offset begin(Index row) const { return blocks.offsets[row / width]; }
  TESSERA_HD Offset end(Index row) const { return blocks.offsets[row / width + 1]; }
  TESSERA_HD Offset start(Index row) const { return offsets[row]; }
  TESSERA_HD void operator()(Index row) const {
    auto const length = (end(row) - begin(row)) * width;
    offsets[row + 1] = begin(row) * width * width + (row % width + 1) * length;
  }
  TESSERA_HD bool operator()(Index, Offset) const { return true; }
  TESSERA_HD void take(Index row, Offset k, Offset) const {
    auto const at = offsets[row] + (k - begin(row)) * width;
    for (int c = 0; c < width; ++c) column[at + c] = blocks.block[k] * width + c;
  }
};

/// The entries that a body of sparse::count_entries and take_entries wants: offsets, then `taken`.
template <class Space, class Body>
void take_leading(Space const& space, Index rows, std::size_t entries, Body body,
                  Array<Offset, Space>& offsets, Array<Index, Space>& taken, Span<Index> Body::*target) {
  auto const n = static_cast<std::size_t>(rows);
  offsets = Array<Offset, Space>(space, n + 1);
  body.counts = offsets.data();
  sparse::count_entries(space, rows, entries, body);
  taken = Array<Index, Space>(space, core::exclusive_scan(space, offsets.span().part(0, n), offsets.span()));
  body.offsets = offsets.view();
  body.*target = taken.span();
  sparse::take_entries(space, rows, entries, body);
}

}  // namespace Tessera::galerkin
