#pragma once
/// \file
/// How the pattern of the product in blocks is found: by as few rows and columns as decide it.
#include "core/parallel.hpp"
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/engine/row_select.hpp"
#include "sparse/formats/csr.hpp"

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

/// Which rows have the pattern of the row before.
struct RepeatsBody {
  Span<Offset const> offsets;
  Span<Index const> column;
  Span<unsigned char> repeats;
  TESSERA_HD Offset begin(Index row) const { return offsets[row]; }
  TESSERA_HD Offset end(Index row) const { return offsets[row + 1]; }
  TESSERA_HD bool as_long(Index row) const {
    return row > 0 && end(row) - begin(row) == begin(row) - begin(row - 1);
  }
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index row) const {
    bool differs = !as_long(row);
    for (auto k = begin(row) + group.lane; !differs && k < end(row); k += Group::size)
      differs = column[k] != column[k - (end(row) - begin(row))];
    differs = group.any(differs);
    if (group.lane == 0) repeats[row] = differs ? 0 : 1;
  }
};

/// What of A decides the pattern of A P: one row of those that follow each other with one pattern, in it one
/// column of those whose rows of P do.
struct LeadersBody {
  static constexpr Index together =
      6;  ///< rows of A that are looked at together: one, two, three or six a node

  sparse::CsrView<double> A;
  Span<unsigned char const> A_repeats, P_repeats;
  TESSERA_HD Offset begin(Index row) const { return A.offsets[row]; }
  TESSERA_HD Offset end(Index row) const { return A.offsets[row + 1]; }
  TESSERA_HD bool leads(Index row) const { return row % together == 0 || A_repeats[row] == 0; }
  TESSERA_HD bool operator()(Index row, Offset k) const {
    bool const goes_on =
        k > A.offsets[row] && A.column[k] == A.column[k - 1] + 1 && P_repeats[A.column[k]] != 0;
    return leads(row) && !goes_on;
  }
  TESSERA_HD void take(Index, Offset k, Index& column) const { column = A.column[k]; }
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

/// The pattern of all rows of A P from that of the leading ones. Lengths first.
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
  TESSERA_HD void operator()(Index row, Offset k) const {
    block[offsets[row] + (k - begin(row))] = found.block[k];
  }
};

/// Every width-th row of R, as all rows of an aggregate have one pattern; of rows of A P that follow each
/// other with one pattern, the first.
struct FirstRowsBody {
  sparse::CsrView<double> R;
  int width;
  LeadersBody leaders;
  TESSERA_HD Offset begin(Index aggregate) const { return R.offsets[static_cast<Offset>(aggregate) * width]; }
  TESSERA_HD Offset end(Index aggregate) const {
    return R.offsets[static_cast<Offset>(aggregate) * width + 1];
  }
  TESSERA_HD bool operator()(Index, Offset k) const {
    return leaders.leads(R.column[k]) || leaders.P_repeats[R.column[k]] == 0;
  }
  TESSERA_HD void take(Index, Offset k, Index& row) const { row = R.column[k]; }
};

/// The scalar pattern of blocks of width x width: offsets, then columns.
struct ExpandBody {
  BlockPattern blocks;
  int width;
  Span<Offset> offsets;
  Span<Index> column;
  TESSERA_HD Offset begin(Index row) const { return blocks.offsets[row / width]; }
  TESSERA_HD Offset end(Index row) const { return blocks.offsets[row / width + 1]; }
  TESSERA_HD void operator()(Index row) const {
    auto const length = (end(row) - begin(row)) * width;
    offsets[row + 1] = begin(row) * width * width + (row % width + 1) * length;
  }
  TESSERA_HD void operator()(Index row, Offset k) const {
    auto const at = offsets[row] + (k - begin(row)) * width;
    for (int c = 0; c < width; ++c) column[at + c] = blocks.block[k] * width + c;
  }
};

}  // namespace Tessera::galerkin
